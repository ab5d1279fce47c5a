/** A time as an input of the type `datetime-local` has it: without seconds where there are none. */
export function localTime(time: Date): string {
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 19).replace(/:00$/, '')
}

/** The zone of these times, as people know it. */
export const timeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** Tomorrow at 18:00, as the value of a field. */
export function tomorrowEvening(): string {
  const time = new Date()
  time.setDate(time.getDate() + 1)
  time.setHours(18, 0, 0, 0)
  return localTime(time)
}
