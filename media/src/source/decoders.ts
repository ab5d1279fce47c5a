/** Supported codecs, by ffmpeg's names. */
const mpegVideoCodecs = ['mpeg1video', 'mpeg2video', 'mpeg4']
const videoCodecs = ['h264', 'hevc', 'vp8', 'vp9', 'av1', 'theora', ...mpegVideoCodecs, 'prores', 'mjpeg']
const audioCodecs = ['aac', 'mp3', 'mp2', 'opus', 'vorbis', 'flac', 'ac3', 'eac3', 'alac']
const adpcmCodecs = ['adpcm_ms', 'adpcm_ima_wav', 'adpcm_ima_qt']
const captionCodecs = ['mov_text', 'webvtt', 'subrip', 'srt', 'ass', 'ssa', 'text']
const pcmFormats = ['u8', 's8', 'alaw', 'mulaw']
const pcmWideFormats = ['s16', 's24', 's32', 'f32', 'f64']
const pcmCodecs = [...pcmFormats, ...pcmWideFormats.flatMap((format) => [`${format}le`, `${format}be`])].map(
  (format) => `pcm_${format}`,
)

/** Decoders whose name differs from that of their codec: ffmpeg prefers them, or has no other. */
const decodersByOtherName = [
  'libdav1d',
  'libaom-av1',
  'libgav1',
  'mp3float',
  'mp2float',
  'libvpx',
  'libvpx-vp9',
  'libopus',
]
/** Cover pictures, DVD subtitles and CEA-608 captions: never shown, but ffprobe opens a decoder for every stream. */
const ignoredDecoders = ['png', 'dvdsub', 'cc_dec']

/** `-codec_whitelist` of ffmpeg and ffprobe: no other decoder receives uploaded bytes. */
export const decoderList = [
  ...videoCodecs,
  ...audioCodecs,
  ...adpcmCodecs,
  ...pcmCodecs,
  ...captionCodecs,
  ...decodersByOtherName,
  ...ignoredDecoders,
].join(',')

export function isSupportedVideo(codec: string): boolean {
  return videoCodecs.includes(codec)
}

/** The codec that ffmpeg or ffprobe was not allowed to decode, or cannot write to an MP4, from its error output. */
export function refusedCodec(stderr: string): string | undefined {
  const refusals = /Codec \(([\w-]+)\) not on whitelist|Could not find tag for codec ([\w-]+) in stream/g
  const last = [...stderr.matchAll(refusals)].at(-1)
  return last?.[1] ?? last?.[2]
}
