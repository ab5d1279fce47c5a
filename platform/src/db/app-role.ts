import type { Client } from 'pg'
import { DatabaseClient } from './database-client.ts'

/** Role of web and worker in the embedded database. It reads and writes rows, and owns only the schema of the job queue. */
export const APP_ROLE = 'kinora_app'

/** Schema of pg-boss, which migrates its own tables and therefore must own them. */
const queueSchema = 'pgboss'

/** Creates the role and sets its password and privileges. Runs after the migrations, as the owner of the schema. */
export async function prepareAppRole(ownerUrl: string, password: string): Promise<void> {
  const client = new DatabaseClient({ connectionString: ownerUrl })
  await client.connect()
  try {
    // the owner's password file, from which this one is derived, may have been replaced
    if (await isPrepared(client)) {
      await client.query(`alter role ${APP_ROLE} with password ${client.escapeLiteral(password)}`)
      return
    }
    await client.query('begin')
    // roles are shared by all databases of a server, which may be prepared concurrently
    await client.query('select pg_advisory_xact_lock(7316803)')
    await client.query(prepare(client.escapeLiteral(password)))
    await client.query('commit')
  } finally {
    await client.end()
  }
}

/** Whether the role exists, may use every table, and owns the whole schema of the job queue. */
async function isPrepared(client: Client): Promise<boolean> {
  const role = await client.query('select 1 from pg_roles where rolname = $1', [APP_ROLE])
  if (role.rowCount === 0) return false
  const { rows } = await client.query<{ ready: boolean }>(
    `select has_database_privilege($1, current_database(), 'create') and has_schema_privilege($1, 'public', 'usage')
       and to_regnamespace($2) is not null
       and not exists (
         select from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v')
           and relname <> 'migrations' and not has_table_privilege($1, oid, 'delete'))
       and not exists (
         select from pg_class where relnamespace = to_regnamespace($2) and relowner <> $1::regrole) as ready`,
    [APP_ROLE, queueSchema],
  )
  return rows[0]?.ready === true
}

/** One statement, so that it succeeds or fails as a whole. */
const prepare = (password: string) => `
  do $$ begin
    if not exists (select from pg_roles where rolname = '${APP_ROLE}') then create role ${APP_ROLE}; end if;
  end $$;
  alter role ${APP_ROLE} with login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password ${password};
  do $$ begin execute format('grant create on database %I to ${APP_ROLE}', current_database()); end $$;
  grant usage on schema public to ${APP_ROLE};
  revoke create on schema public from ${APP_ROLE}, public;
  grant select, insert, update, delete on all tables in schema public to ${APP_ROLE};
  grant usage, select on all sequences in schema public to ${APP_ROLE};
  grant execute on all functions in schema public to ${APP_ROLE};
  revoke insert, update, delete on migrations from ${APP_ROLE};
  alter default privileges in schema public grant select, insert, update, delete on tables to ${APP_ROLE};
  alter default privileges in schema public grant usage, select on sequences to ${APP_ROLE};
  create schema if not exists ${queueSchema};
  alter schema ${queueSchema} owner to ${APP_ROLE};
  do $$
  declare one record;
  begin
    for one in select oid::regclass as name from pg_class
      where relnamespace = '${queueSchema}'::regnamespace and relkind in ('r', 'p', 'v')
    loop execute format('alter table %s owner to ${APP_ROLE}', one.name); end loop;
    for one in select oid::regclass as name from pg_class
      where relnamespace = '${queueSchema}'::regnamespace and relkind = 'S' and relowner <> '${APP_ROLE}'::regrole
    loop execute format('alter sequence %s owner to ${APP_ROLE}', one.name); end loop;
    for one in select oid::regprocedure as name from pg_proc where pronamespace = '${queueSchema}'::regnamespace
    loop execute format('alter routine %s owner to ${APP_ROLE}', one.name); end loop;
    for one in select oid::regtype as name from pg_type
      where typnamespace = '${queueSchema}'::regnamespace and typtype in ('e', 'd')
    loop execute format('alter type %s owner to ${APP_ROLE}', one.name); end loop;
  end $$;`
