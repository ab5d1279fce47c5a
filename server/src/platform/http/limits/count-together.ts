import type { Kysely } from 'kysely'
import type { Signals } from '../../db/signals.ts'
import { newId } from '../../ids.ts'
import type { Log } from '../../log.ts'
import type { RateLimit } from './rate-limit.ts'

const topic = 'taken'
/** So long processes may not know of each other what they let through. */
const tellEveryMs = 1000

/**
 * Has all processes count these limits together: once a second each tells the others what it let through. While the
 * database is away each counts alone; of a process that dies nothing is left when the window ends. Answers what ends it.
 */
export async function countTogether<Database>(
  limits: readonly RateLimit[],
  { db, signals, log }: { db: Kysely<Database>; signals: Signals; log: Log },
): Promise<() => void> {
  const processId = newId()
  const stopListening = await signals.listen(topic, (message) => {
    const [sender, name, ...news] = message.split(' ')
    if (sender !== processId) limits.find((limit) => limit.name === name)?.hear(news.join(' '))
  })
  const tellAll = async () => {
    for (const limit of limits) {
      await limit.tell((news) => signals.send(db, topic, `${processId} ${limit.name} ${news}`))
    }
  }
  let isTelling = false
  const timer = setInterval(() => {
    if (isTelling) return
    isTelling = true
    tellAll()
      // it is told the next time
      .catch((error: unknown) => log.debug({ err: error }, 'counts not told'))
      .finally(() => (isTelling = false))
  }, tellEveryMs)
  timer.unref()
  return () => {
    clearInterval(timer)
    stopListening()
  }
}
