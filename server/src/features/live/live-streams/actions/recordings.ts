import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { ownName } from '@kinora/platform/process-identity.ts'
import type { Context } from '../../../../context/context.ts'
import { listFiles, type LivePart } from '../queries/parts.ts'
import { fileKeyOf } from '../rules/streams.ts'
import { endSecondsOf } from '../rules/tracks.ts'
import { type Recording, RecordingFile } from './recording-file.ts'
import { RecordingObjects } from './recording-objects.ts'

type RecordingContext = Pick<Context, 'storage' | 'config'>

/** A recording that has begun, with its beginning as a local file until it is disposed. */
export interface BegunRecording extends AsyncDisposable {
  recording: Recording
  /** Of the first part, in the first file. */
  position: number
  path: string
}

/** Stores the init segment and the first part of a recording. Of one that is not kept whole, old files can be deleted. */
export async function createRecording(
  { storage, config }: RecordingContext,
  sourceKey: string,
  { init, part, keepsAll }: { init: Buffer; part: Buffer; keepsAll: boolean },
): Promise<BegunRecording> {
  const file = storage.pathOf(sourceKey)
  if (file !== undefined) {
    const pathOf = (number: number) => storage.pathOf(fileKeyOf(sourceKey, number)) ?? ''
    const recording = await RecordingFile.create({ pathOf, keepsAll })
    try {
      await recording.append(init)
      const { position } = await recording.append(part)
      return { recording, position, path: file, [Symbol.asyncDispose]: async () => undefined }
    } catch (error) {
      await recording.close()
      throw error
    }
  }
  const copy = path.join(config.dataDir, 'incoming', ownName())
  const bytes = Buffer.concat([init, part])
  const recording = new RecordingObjects(storage, sourceKey)
  const remove = async () => rm(copy, { force: true })
  try {
    await mkdir(path.dirname(copy), { recursive: true })
    await writeFile(copy, bytes)
    await recording.append(bytes)
  } catch (error) {
    await remove()
    throw error
  }
  return { recording, position: init.length, path: copy, [Symbol.asyncDispose]: remove }
}

/** A stream whose recording has begun. */
export interface RecordedStream {
  videoId: string
  sourceKey: string
  keepsRecording: boolean
}

/** Continues a recording after its last whole part. */
export async function continueRecording(
  { db, storage }: Pick<Context, 'db' | 'storage'>,
  { videoId, sourceKey, keepsRecording: keepsAll }: RecordedStream,
  last: LivePart,
): Promise<Recording> {
  const files = await listFiles(db, videoId)
  const sizes = new Map(files.map(({ file, end }) => [file, end]))
  if (storage.pathOf(sourceKey) === undefined) return new RecordingObjects(storage, sourceKey, sizes)
  const pathOf = (number: number) => storage.pathOf(fileKeyOf(sourceKey, number)) ?? ''
  return RecordingFile.continue({ pathOf, keepsAll }, { sizes, seconds: endSecondsOf(last) })
}
