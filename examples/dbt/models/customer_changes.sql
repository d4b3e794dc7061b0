-- The feed. Here it is empty: the unit tests give it its rows, and take its types.
select
    cast(null as bigint) as customer_id,
    cast(null as varchar) as city,
    cast(null as decimal(10, 2)) as credit,
    cast(null as varchar) as operation,
    cast(null as bigint) as lsn
where false
