import { formatBytes } from '@kinora/platform/format-bytes.ts'

const barCharacters = 24

/** Returns the text of a progress bar for bytes sent and in total: `glacier.mp4 [######------]  50 %  5.0 MB of 10.0 MB, 1.2 MB/s`. */
export function progressLine(
  name: string,
  now: () => number = Date.now,
): (sent: number, total: number) => string {
  let begin: { at: number; sent: number } | undefined
  return (sent, total) => {
    // a continued upload begins in the middle
    begin ??= { at: now(), sent }
    const seconds = (now() - begin.at) / 1000
    const share = total > 0 ? sent / total : 1
    const done = Math.round(share * barCharacters)
    const bar = '#'.repeat(done).padEnd(barCharacters, '-')
    const percent = String(Math.floor(share * 100)).padStart(3)
    const speed = seconds > 1 ? `, ${formatBytes((sent - begin.sent) / seconds)}/s` : ''
    return `${name} [${bar}] ${percent} %  ${formatBytes(sent)} of ${formatBytes(total)}${speed}`
  }
}
