import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PgBoss } from 'pg-boss'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { APP_ROLE, prepareAppRole } from './app-role.ts'

const password = 'of-a-test'
let database: TestDatabase
let appUrl: string

beforeAll(async () => {
  database = await createTestDatabase()
  await prepareAppRole(database.url, password)
  const url = new URL(database.url)
  url.username = APP_ROLE
  url.password = password
  appUrl = url.href
})
afterAll(() => database.drop())

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client(url)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
}

test('is not a superuser and cannot create roles or databases', async () => {
  const [role] = await query(
    appUrl,
    'select rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls as strong from pg_roles where rolname = current_user',
  )
  expect(role).toEqual({ strong: false })
})

test.each([
  "copy (select 1) to program 'id'",
  "copy (select 1) to '/tmp/kinora-probe'",
  "select pg_read_file('/etc/passwd')",
  "alter system set log_statement = 'all'",
  'create table public.mine (id int)',
  'drop table videos',
  'alter table users add column mine int',
  'truncate users',
  "delete from migrations where name like '0001%'",
  'create role another superuser',
  'set role kinora',
])('may not: %s', async (sql) => {
  await expect(query(appUrl, sql)).rejects.toMatchObject({ code: '42501' })
})

test('may use every table, including tables of later migrations', async () => {
  await query(database.url, 'create table of_a_later_version (id bigserial primary key)')
  await query(appUrl, 'insert into of_a_later_version default values; delete from of_a_later_version')
  expect(await query(appUrl, 'select count(*)::int as users from users')).toEqual([{ users: 0 }])
})

test('has its password updated at the next start', async () => {
  await prepareAppRole(database.url, `${password}-2`)
  await expect(query(appUrl, 'select 1')).rejects.toMatchObject({ code: '28P01' })
  await prepareAppRole(database.url, password)
  expect(await query(appUrl, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('takes over a job queue that a superuser created, so that pg-boss can migrate it', async () => {
  const foreign = await query(
    database.url,
    `select relname from pg_class where relnamespace = 'pgboss'::regnamespace and relowner <> '${APP_ROLE}'::regrole`,
  )
  expect(foreign).toEqual([])
  await query(appUrl, 'drop schema pgboss cascade')
  await prepareAppRole(database.url, password)
  const boss = new PgBoss({ connectionString: appUrl, migrate: true, supervise: false, schedule: false })
  await boss.start()
  await boss.createQueue('of-a-test', { partition: true })
  expect(await boss.send('of-a-test', {})).toEqual(expect.any(String))
  await boss.stop()
})
