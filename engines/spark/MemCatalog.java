package killmatrix;

import java.io.Serializable;
import java.util.*;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.*;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.connector.catalog.*;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.connector.read.*;
import org.apache.spark.sql.connector.write.*;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * Tables in the memory of this JVM, with what AUTO CDC needs of them: to be read, appended to,
 * truncated, and replaced as a whole by a MERGE. PySpark brings no table format that has a MERGE.
 */
@SuppressWarnings("deprecation")
public class MemCatalog implements TableCatalog, SupportsNamespaces {
    static final Map<String, Mem> TABLES = new ConcurrentHashMap<>();
    static final Set<String> SPACES = ConcurrentHashMap.newKeySet();
    private String name;

    @Override public void initialize(String name, CaseInsensitiveStringMap options) {
        this.name = name;
        SPACES.add("default");
    }

    @Override public String name() { return name; }

    @Override public String[] defaultNamespace() { return new String[] {"default"}; }

    private static String key(Identifier id) {
        return String.join(".", id.namespace()) + "." + id.name();
    }

    @Override public Identifier[] listTables(String[] space) {
        String prefix = String.join(".", space) + ".";
        return TABLES.keySet().stream()
            .filter(key -> key.startsWith(prefix))
            .map(key -> Identifier.of(space, key.substring(prefix.length())))
            .toArray(Identifier[]::new);
    }

    @Override public Table loadTable(Identifier id) throws NoSuchTableException {
        Mem table = TABLES.get(key(id));
        if (table == null) throw new NoSuchTableException(id);
        return table;
    }

    @Override public Table createTable(Identifier id, TableInfo info)
            throws TableAlreadyExistsException {
        return createTable(id, info.columns(), info.partitions(), info.properties());
    }

    @Override public Table createTable(
            Identifier id, Column[] columns, Transform[] parts, Map<String, String> properties)
            throws TableAlreadyExistsException {
        Mem table = new Mem(key(id), columns, parts, properties, List.of());
        if (TABLES.putIfAbsent(table.key, table) != null) throw new TableAlreadyExistsException(id);
        return table;
    }

    /** Properties, or columns while the table is empty: a fixture's schema doesn't change. */
    @Override public Table alterTable(Identifier id, TableChange... changes)
            throws NoSuchTableException {
        Mem old = (Mem) loadTable(id);
        scala.collection.immutable.Seq<TableChange> all =
            scala.jdk.javaapi.CollectionConverters.asScala(Arrays.asList(changes)).toSeq();
        Map<String, String> properties =
            CatalogV2Util.applyPropertiesChanges(old.properties, all);
        StructType schema = CatalogV2Util.applySchemaChanges(
            old.schema(), all, scala.Option.apply("memory"), "ALTER TABLE");
        if (!schema.equals(old.schema()) && !old.rows.isEmpty())
            throw new UnsupportedOperationException(
                "the columns of a table with rows: " + old.schema() + " to " + schema);
        Column[] columns = CatalogV2Util.structTypeToV2Columns(schema, false);
        Mem table = new Mem(old.key, columns, old.parts, properties, old.rows);
        TABLES.put(table.key, table);
        return table;
    }

    @Override public boolean dropTable(Identifier id) { return TABLES.remove(key(id)) != null; }

    @Override public void renameTable(Identifier from, Identifier to) {
        throw new UnsupportedOperationException("rename");
    }

    @Override public String[][] listNamespaces() {
        return SPACES.stream().map(space -> new String[] {space}).toArray(String[][]::new);
    }

    @Override public String[][] listNamespaces(String[] space) {
        return space.length == 0 ? listNamespaces() : new String[0][];
    }

    @Override public Map<String, String> loadNamespaceMetadata(String[] space)
            throws NoSuchNamespaceException {
        if (space.length != 1 || !SPACES.contains(space[0]))
            throw new NoSuchNamespaceException(space);
        return Map.of();
    }

    @Override public void createNamespace(String[] space, Map<String, String> metadata) {
        SPACES.add(String.join(".", space));
    }

    @Override public void alterNamespace(String[] space, NamespaceChange... changes) { }

    @Override public boolean dropNamespace(String[] space, boolean cascade) {
        if (cascade)
            for (Identifier table : listTables(space)) dropTable(table);
        return SPACES.remove(String.join(".", space));
    }

    static final class Mem
            implements Table, SupportsRead, SupportsWrite, SupportsRowLevelOperations {
        final String key;
        final Column[] columns;
        final Transform[] parts;
        final Map<String, String> properties;
        volatile List<InternalRow> rows;

        Mem(String key, Column[] columns, Transform[] parts, Map<String, String> properties,
                List<InternalRow> rows) {
            this.key = key;
            this.columns = columns;
            this.parts = parts;
            this.properties = new HashMap<>(properties);
            this.rows = rows;
        }

        @Override public String name() { return key; }

        @Override public Column[] columns() { return columns; }

        @Override public StructType schema() {
            return CatalogV2Util.v2ColumnsToStructType(columns);
        }

        @Override public Transform[] partitioning() { return parts; }

        @Override public Map<String, String> properties() { return properties; }

        @Override public Set<TableCapability> capabilities() {
            return EnumSet.of(
                TableCapability.BATCH_READ, TableCapability.BATCH_WRITE, TableCapability.TRUNCATE);
        }

        @Override public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
            return () -> new MemScan(key, schema());
        }

        @Override public WriteBuilder newWriteBuilder(LogicalWriteInfo info) {
            return new MemWrite(key, info.schema(), false);
        }

        /** A MERGE reads the whole table and writes it anew: Spark's group-based plan. */
        @Override public RowLevelOperationBuilder newRowLevelOperationBuilder(
                RowLevelOperationInfo info) {
            return () -> new RowLevelOperation() {
                @Override public Command command() { return info.command(); }

                @Override public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
                    return Mem.this.newScanBuilder(options);
                }

                @Override public WriteBuilder newWriteBuilder(LogicalWriteInfo write) {
                    return new MemWrite(key, write.schema(), true);
                }
            };
        }
    }

    record Part(String key) implements InputPartition { }

    record MemScan(String key, StructType schema) implements Scan, Batch, Serializable {
        @Override public StructType readSchema() { return schema; }

        @Override public Batch toBatch() { return this; }

        @Override public InputPartition[] planInputPartitions() {
            return new InputPartition[] {new Part(key)};
        }

        @Override public PartitionReaderFactory createReaderFactory() { return new Reads(); }
    }

    static final class Reads implements PartitionReaderFactory {
        @Override public PartitionReader<InternalRow> createReader(InputPartition part) {
            Iterator<InternalRow> rows = TABLES.get(((Part) part).key()).rows.iterator();
            return new PartitionReader<>() {
                private InternalRow row;

                @Override public boolean next() {
                    boolean more = rows.hasNext();
                    row = more ? rows.next() : null;
                    return more;
                }

                @Override public InternalRow get() { return row; }

                @Override public void close() { }
            };
        }
    }

    record Rows(ArrayList<InternalRow> rows) implements WriterCommitMessage { }

    static final class MemWrite implements WriteBuilder, SupportsTruncate, Write, BatchWrite {
        final String key;
        final StructType schema;
        boolean replaces;

        MemWrite(String key, StructType schema, boolean replaces) {
            this.key = key;
            this.schema = schema;
            this.replaces = replaces;
        }

        @Override public WriteBuilder truncate() {
            replaces = true;
            return this;
        }

        @Override public Write build() { return this; }

        @Override public BatchWrite toBatch() { return this; }

        @Override public DataWriterFactory createBatchWriterFactory(PhysicalWriteInfo info) {
            return new Writes(schema);
        }

        @Override public void abort(WriterCommitMessage[] messages) { }

        @Override public void commit(WriterCommitMessage[] messages) {
            Mem table = TABLES.get(key);
            ArrayList<InternalRow> rows = new ArrayList<>(replaces ? List.of() : table.rows);
            for (WriterCommitMessage message : messages)
                if (message != null) rows.addAll(((Rows) message).rows());
            table.rows = rows;
        }
    }

    record Writes(StructType schema) implements DataWriterFactory {
        @Override public DataWriter<InternalRow> createWriter(int partition, long task) {
            // Spark uses its row again for the next one, so each is copied.
            UnsafeProjection copy = UnsafeProjection.create(schema);
            ArrayList<InternalRow> rows = new ArrayList<>();
            return new DataWriter<>() {
                @Override public void write(InternalRow row) { rows.add(copy.apply(row).copy()); }

                @Override public WriterCommitMessage commit() { return new Rows(rows); }

                @Override public void abort() { }

                @Override public void close() { }
            };
        }
    }
}
