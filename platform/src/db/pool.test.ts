import { expect, inject, test } from 'vitest'
import { createPool } from './pool.ts'

test('rejects the statement of a lost connection and keeps the process running', async () => {
  const pool = createPool(inject('databaseServerUrl'), 2)
  pool.on('error', () => undefined)
  try {
    const lent = await pool.connect()
    const { rows } = await lent.query<{ pid: number }>('select pg_backend_pid() as pid')
    const lost = new Promise((resolve) => lent.once('end', resolve))
    await pool.query('select pg_terminate_backend($1)', [rows[0]?.pid])
    await lost
    await expect(lent.query('select 1')).rejects.toThrow('not queryable')
    lent.release(true)
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  } finally {
    await pool.end()
  }
})
