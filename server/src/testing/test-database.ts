import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { inject } from 'vitest'

export interface TestDatabase {
  url: string
  drop(): Promise<void>
}

/** A fresh database with every table, for one test file. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`
  await administer(`create database ${name} template template_of_tests`)
  const url = new URL(inject('databaseServerUrl'))
  url.pathname = `/${name}`
  return { url: url.href, drop: () => administer(`drop database if exists ${name} with (force)`) }
}

async function administer(statement: string): Promise<void> {
  const client = new Client(inject('databaseServerUrl'))
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
