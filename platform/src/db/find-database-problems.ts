import type { Client } from 'pg'

interface Row {
  database: string
  role: string
  encoding: string
  mayCreateTables: boolean
  mayCreateSchemas: boolean
  lacksSchemaOrExtension: boolean
}

/** Returns the reasons why this role cannot migrate this database, each with its remedy. */
export async function findDatabaseProblems(client: Client): Promise<string[]> {
  const { rows } = await client.query<Row>(`
    select current_database() as database, current_user as role, pg_encoding_to_char(encoding) as encoding,
      coalesce(has_schema_privilege(to_regnamespace('public'), 'create'), false) as "mayCreateTables",
      has_database_privilege(current_database(), 'create') as "mayCreateSchemas",
      to_regnamespace('pgboss') is null
        or not exists (select from pg_extension where extname = 'unaccent') as "lacksSchemaOrExtension"
    from pg_database where datname = current_database()`)
  const [row] = rows
  if (!row) return []
  const { database, role } = row
  const problems: string[] = []
  if (row.encoding !== 'UTF8')
    problems.push(
      `The database ${database} has the encoding ${row.encoding}, and Kinora needs UTF8. Create another one with \`createdb --encoding=UTF8 --template=template0 --owner=${role} <name>\`.`,
    )
  if (!row.mayCreateTables)
    problems.push(
      `The role ${role} may not create tables. Run \`GRANT CREATE ON SCHEMA public TO ${role}\`, or make it the owner of the database ${database}.`,
    )
  if (row.lacksSchemaOrExtension && !row.mayCreateSchemas)
    problems.push(
      `The role ${role} may not create schemas and extensions. Run \`GRANT CREATE ON DATABASE ${database} TO ${role}\`, or make it the owner.`,
    )
  return problems
}

/** Returns the tables that this role cannot read and write. */
export async function listInaccessibleTables(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
    select c.relname as name from pg_class c
    where c.relnamespace = to_regnamespace('public') and c.relkind in ('r', 'p')
      and c.relname not in ('migrations')
      and not (has_table_privilege(c.oid, 'select') and has_table_privilege(c.oid, 'insert')
        and has_table_privilege(c.oid, 'update') and has_table_privilege(c.oid, 'delete'))
    order by 1`)
  return rows.map(({ name }) => name)
}
