import { expect, test } from 'vitest'
import { ByteBudget } from './byte-budget.ts'

test('waits until bytes are released', async () => {
  const budget = new ByteBudget(100, 60_000)
  budget.take(99)
  expect(budget.room()).toBeUndefined()
  budget.take(20)
  const room = budget.room()
  budget.release(20)
  await room
  expect(budget.room()).toBeUndefined()
})

test('rejects with unavailable after the time limit', async () => {
  const budget = new ByteBudget(100, 10)
  budget.take(100)
  await expect(budget.room()).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 10 })
})
