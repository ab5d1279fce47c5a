/** The player's own clock: 7:06, 1:02:03. */
export function formatClock(seconds: number): string {
  const whole = Math.max(0, Math.floor(Number.isFinite(seconds) ? seconds : 0))
  const two = (value: number) => String(value).padStart(2, '0')
  const minutes = Math.floor(whole / 60) % 60
  const hours = Math.floor(whole / 3600)
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${two(minutes)}:${two(whole % 60)}`
}

/** The same spelt out for screen readers: "7 minutes 6 seconds". */
export function spellSeconds(seconds: number): string {
  const whole = Math.max(0, Math.floor(Number.isFinite(seconds) ? seconds : 0))
  const parts = [
    [Math.floor(whole / 3600), 'hour'],
    [Math.floor(whole / 60) % 60, 'minute'],
    [whole % 60, 'second'],
  ] as const
  const said = parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}${count === 1 ? '' : 's'}`)
  return said.length > 0 ? said.join(' ') : '0 seconds'
}

/** A start from an address, as people write it: 90, 90s, 1m30s, 1h2m3s, 1:30, 1:02:03. Undefined when it says nothing. */
export function parseStart(text: string | null): number | undefined {
  if (!text) return undefined
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text)
  if (/^\d+(:\d{1,2}){1,2}$/.test(text))
    return text.split(':').reduce((total, part) => total * 60 + Number(part), 0)
  const units = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/i.exec(text)
  if (!units) return undefined
  const [, hours = 0, minutes = 0, seconds = 0] = units
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
}
