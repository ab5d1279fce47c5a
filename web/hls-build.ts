import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import type { Plugin } from 'vite'

/**
 * Builds hls.js from its sources with its own feature flags: with alternate audio, which its `light` build lacks, and without
 * features that Kinora's streams (fragmented MP4 without encryption) never use. 96 kB gzip instead of 189 kB.
 */
const source = join(dirname(createRequire(import.meta.url).resolve('hls.js/package.json')), 'src')
const { version } = JSON.parse(readFileSync(join(source, '../package.json'), 'utf8')) as { version: string }

const disabledFeatures = [
  'EME_DRM',
  'SUBTITLES',
  'CMCD',
  'CONTENT_STEERING',
  'VARIABLE_SUBSTITUTION',
  'M2TS_ADVANCED_CODECS',
  'MEDIA_CAPABILITIES',
  'INTERSTITIALS',
  'IFRAMES',
]

/** Modules that the library's build omits for those flags, then modules for other containers than
 * MP4, encryption, timed metadata and live streams. */
const excluded = new Set([
  'controller/eme-controller',
  'utils/mediakeys-helper',
  'controller/cmcd-controller',
  'utils/cues',
  'controller/timeline-controller',
  'controller/subtitle-track-controller',
  'controller/subtitle-stream-controller',
  'utils/mediacapabilities-helper',
  'controller/content-steering-controller',
  'controller/interstitials-controller',
  'controller/interstitial-player',
  'controller/interstitials-schedule',
  'loader/interstitial-event',
  'loader/interstitial-asset-list',
  'controller/iframe-controller',
  'controller/iframe-stream-controller',
  'controller/image-iframe-stream-controller',
  'demux/transmuxer-worker',
  'demux/tsdemuxer',
  'demux/audio/aacdemuxer',
  'demux/audio/ac3-demuxer',
  'demux/audio/mp3demuxer',
  'remux/mp4-generator',
  'crypt/aes-crypto',
  'crypt/aes-decryptor',
  'crypt/fast-aes-key',
  'controller/id3-track-controller',
  'controller/latency-controller',
  'utils/fetch-loader',
])

const NOTHING = '\0hls-left-out'
/** The library treats undefined as absent; a missing name fails the build. */
const emptyModule = `
  export default undefined
  export const
    AC3Demuxer = undefined,
    estimatedAudioBitrate = undefined,
    fetchSupported = undefined,
    getMediaDecodingInfoPromise = undefined,
    getUnsupportedResult = undefined,
    IFrameController = undefined,
    KeySystemFormats = undefined,
    KeySystemIds = undefined,
    parsePlayReadyWRM = undefined,
    removePadding = undefined,
    requestMediaKeySystemAccess = undefined,
    requiresMediaCapabilitiesDecodingInfo = undefined,
    SubtitleStreamController = undefined,
    SUPPORTED_INFO_DEFAULT = undefined,
    TimelineController = undefined
`

/** Patches for bugs of the library, by file: the line after which code is inserted. */
const patches: Record<string, { after: string; inserted: string }> = {
  /**
   * Version 1.7 loads an init segment in parallel with its fragment. When a fragment of another rendition aborts that load, the
   * library also aborts the fragment that is loading by then: at the start forever, so that nothing plays, later to request
   * it again. An aborted load must have no side effects.
   */
  'controller/base-stream-controller': {
    after: 'return initPromise.catch((reason: LoadError | Error) => {',
    inserted: `if ('data' in reason && reason.data.details === ErrorDetails.INTERNAL_ABORTED) return new Promise<void>(() => {});`,
  },
  /**
   * Audio that arrives before the first video fragment waits for its initial timestamp. The library then continues at its
   * next tick, up to 100 ms later, which delays the first frame.
   */
  'controller/audio-stream-controller': {
    after: 'this.mainAnchor = frag;',
    inserted: `if (this.state === State.WAITING_INIT_PTS && this.waitingData?.frag.cc === cc) this.tick();`,
  },
}

function patch(path: string, { after, inserted }: { after: string; inserted: string }): string {
  const code = readFileSync(join(source, `${path}.ts`), 'utf8')
  if (code.split(after).length !== 2)
    throw new Error(
      `hls.js ${version} has changed: see whether ${path} still needs the patch in hls-build.ts`,
    )
  return code.replace(after, `${after}\n${inserted}`)
}

/** Resolves `hls.js` to the trimmed and patched build. */
export function trimmedHls(): Plugin {
  return {
    name: 'trimmed-hls',
    enforce: 'pre',
    config: () => ({
      define: {
        __VERSION__: JSON.stringify(version),
        __USE_ALT_AUDIO__: 'true',
        ...Object.fromEntries(disabledFeatures.map((name) => [`__USE_${name}__`, 'false'])),
      },
      optimizeDeps: { exclude: ['hls.js'] },
    }),
    resolveId(id, importer) {
      if (id === 'hls.js') return join(source, 'exports-default.ts')
      if (!importer?.startsWith(source) || !id.startsWith('.')) return null
      const path = relative(source, resolve(dirname(importer), id)).replaceAll('\\', '/')
      // Only other containers use the remuxer class; the rest of its file is needed.
      const isUnusedRemuxer = path === 'remux/mp4-remuxer' && importer.endsWith('transmuxer.ts')
      return excluded.has(path) || isUnusedRemuxer ? NOTHING : null
    },
    load(id) {
      if (id === NOTHING) return emptyModule
      const path = relative(source, id).replaceAll('\\', '/').replace(/\.ts$/, '')
      const fix = patches[path]
      return fix ? patch(path, fix) : null
    },
  }
}
