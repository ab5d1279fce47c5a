import { buffer } from 'node:stream/consumers'
import { makeZip } from 'client-zip'

/** A zip of bytes, texts, and values as JSON. */
export const zipOf = (files: Record<string, unknown>): Promise<Buffer> =>
  buffer(
    makeZip(
      Object.entries(files).map(([name, content]) => ({
        name,
        input:
          content instanceof Uint8Array || typeof content === 'string' ? content : JSON.stringify(content),
      })),
    ),
  )
