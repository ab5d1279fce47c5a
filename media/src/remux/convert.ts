import { createWriteStream } from 'node:fs'
import type { FileFormat } from '@kinora/contract/videos/file-formats.ts'
import { drawWaveform } from '../pictures/frame.ts'
import { FfmpegError, flags, type MediaTools, runTool } from '../process/ffmpeg.ts'
import { inputArgs } from '../source/container.ts'
import { refusedCodec } from '../source/decoders.ts'
import { damagedVideo, unsupportedCodec } from '../source/source-info.ts'

/** Copying twenty gigabytes takes minutes. */
const TIMEOUT_MS = 30 * 60_000
/** A still picture needs few frames; players seek to the keyframes, one every two seconds. */
const POSTER_FRAMES_PER_SECOND = 5

/**
 * Fragmented, because a pipe cannot be rewound to write an index of the whole file. `delay_moov` writes the header after the
 * first packets, which carry the parameters of AC-3 and the start time of each track.
 */
const mp4Output = [
  ...flags({ movflags: '+frag_keyframe+delay_moov+default_base_moof', map_chapters: 0, f: 'mp4' }),
  'pipe:1',
]

interface Conversion {
  tools: MediaTools
  format: FileFormat
  path: string
  /** The file to write. */
  target: string
  signal: AbortSignal
}

/** Converts a video to MP4; its video is copied. Throws `SourceRefused` for files that ffmpeg cannot read. */
export async function convertVideo(conversion: Conversion): Promise<void> {
  await convert(conversion, [
    // AVI has no presentation times
    ...(conversion.format === 'avi' ? ['-fflags', '+genpts'] : []),
    ...inputArgs({ container: conversion.format }, conversion.path),
    '-map',
    '0:V:0',
    '-map',
    '0:a?',
    // MP4 cannot carry all audio of these formats as it is, such as PCM
    ...flags({ 'c:v': 'copy', 'c:a': 'aac' }),
    // timestamps of `genpts` are late by the frames of the reorder buffer
    ...(conversion.format === 'avi' ? flags({ 'bsf:v': 'setts=pts=DTS' }) : []),
  ])
}

/** Converts audio to an MP4 with a picture of its waveform. Throws `SourceRefused` for files that ffmpeg cannot read. */
export async function convertAudio(conversion: Conversion): Promise<void> {
  const { tools, format, path, signal } = conversion
  const input = inputArgs({ container: format }, path)
  const poster = await drawWaveform(tools, { format, path, signal }).catch(throwSourceRefused)
  await convert(
    conversion,
    [
      ...input,
      ...flags({ f: 'png_pipe', framerate: POSTER_FRAMES_PER_SECOND, i: 'pipe:0' }),
      ...flags({ filter_complex: '[1:v]loop=-1:1:0,format=yuv420p[picture]', map: '[picture]' }),
      '-map',
      '0:a:0',
      '-shortest',
      ...flags({ 'c:v': 'libx264', preset: 'ultrafast', tune: 'zerolatency' }),
      ...flags({ g: 2 * POSTER_FRAMES_PER_SECOND, 'c:a': 'copy' }),
    ],
    poster,
  )
}

async function convert(
  { tools, path, target, signal }: Conversion,
  args: string[],
  input?: Buffer,
): Promise<void> {
  await runTool(tools.ffmpeg, [...flags({ v: 'error' }), ...args, ...mp4Output], {
    signal,
    timeoutMs: TIMEOUT_MS,
    reads: [path],
    output: createWriteStream(target),
    ...(input && { input: streamOf(input) }),
  }).catch(throwSourceRefused)
}

async function* streamOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes
}

function throwSourceRefused(cause: unknown): never {
  if (!(cause instanceof FfmpegError) || cause.isHostFailure) throw cause
  const codec = refusedCodec(cause.stderr)
  if (codec !== undefined) throw unsupportedCodec(codec)
  throw damagedVideo(cause)
}
