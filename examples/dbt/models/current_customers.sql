-- Of each customer the newest event, unless that is a delete.
with numbered as (
    select *, row_number() over (partition by customer_id order by lsn desc) as n
    from {{ ref('customer_changes') }}
)

select customer_id, city, credit
from numbered
where n = 1 and operation is distinct from 'DELETE'
