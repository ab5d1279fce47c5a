import { parseCaptions, spokenTextOf } from '@kinora/contract/videos/caption-cues.ts'
import { queryOptions } from '@tanstack/react-query'
import { videoFileKeys } from '../../../../lib/watch-keys.ts'

export type TranscriptLine = { startSeconds: number; endSeconds: number; text: string }

/** The sentences of captions in order of time. A URL of captions never gets other content. */
export function transcriptQuery(url: string) {
  return queryOptions({
    queryKey: videoFileKeys.transcript(url),
    queryFn: async ({ signal }): Promise<TranscriptLine[]> => {
      const response = await fetch(url, { signal })
      if (!response.ok) throw new Error(`Captions returned ${response.status}`)
      return transcriptLines(await response.text())
    },
    staleTime: Infinity,
    // Captions of a file are extracted on the first request, which may end before they are.
    retry: 5,
  })
}

/** The sentences of a WebVTT file. Cues that repeat the one before, as rolling captions do, are left out. */
export function transcriptLines(vtt: string): TranscriptLine[] {
  return parseCaptions(vtt)
    .cues.map(({ startSeconds, endSeconds, text }) => ({
      startSeconds,
      endSeconds,
      text: spokenTextOf(text),
    }))
    .filter(({ text }, index, lines) => text !== '' && text !== lines[index - 1]?.text)
}

/** When a word that is looked for is said in a line, estimated by its place in it; without one, the start of the line. */
export function secondsOf({ startSeconds, endSeconds, text }: TranscriptLine, wanted: string): number {
  const at = Math.max(0, text.toLowerCase().indexOf(wanted.toLowerCase()))
  return startSeconds + ((endSeconds - startSeconds) * at) / Math.max(1, text.length)
}

/** A transcript as text to copy: a line for each sentence. */
export function transcriptText(lines: readonly TranscriptLine[], clock: (seconds: number) => string): string {
  return lines.map(({ startSeconds, text }) => `${clock(startSeconds)} ${text}`).join('\n')
}
