import { readFile } from 'node:fs/promises'
import { AppError } from '@kinora/platform/errors.ts'
import { serveRequests } from '@kinora/platform/sandbox/preforked-process.ts'
import { toVtt } from '@kinora/media/captions/to-vtt.ts'
import { findMoments } from '../rules.ts'
import type { CaptionRequest, CaptionResponse } from './read-captions.ts'

serveRequests(async (request: CaptionRequest): Promise<CaptionResponse> => {
  if ('sources' in request) return { moments: findMoments(request.term, request.sources, request.limit) }
  try {
    return { vtt: toVtt(await readFile(request.file), request.language) }
  } catch (error) {
    if (error instanceof AppError) return { refusal: error.errors }
    throw error
  }
})
