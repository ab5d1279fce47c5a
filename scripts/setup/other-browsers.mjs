import { installPackages } from './packages.mjs'
import { onPath } from './steps.mjs'

const programs = ['firefox-esr', 'WebKitWebDriver', 'xvfb-run']
const packages = [
  'firefox-esr',
  'webkit2gtk-driver',
  'gstreamer1.0-libav',
  'gstreamer1.0-plugins-good',
  'gstreamer1.0-plugins-bad',
  'xvfb',
  'xauth',
]

/** Firefox and WebKit as Debian packs them, with the decoders that WebKit uses. */
export async function ensureOtherBrowsers() {
  if (programs.every((program) => onPath(program).length > 0)) return
  await installPackages('Firefox and WebKit', packages)
}
