import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { siteDirectory } from '../testing/servers/start-site.ts'
import { temporaryDirectory } from '@kinora/platform/testing/temporary-directory.ts'

const root = join(import.meta.dirname, '../../..')
const isRoot = process.getuid?.() === 0

/** Starts the site of the current directory, asks for its first page until it responds, and stops it. */
const visit = `
ip link set lo up
bin/kinora > "$DATA_DIR/log" 2>&1 &
page() { bin/node -e 'fetch("http://127.0.0.1:3000/").then(async (page) => console.log(page.status, await page.text()))'; }
until page 2> /dev/null; do kill -0 $! || { cat "$DATA_DIR/log"; exit 1; }; sleep 0.2; done
kill $! && wait $!`

test.skipIf(!isRoot)(
  'an archive of a release starts without a network and without a development package',
  () => {
    const directory = temporaryDirectory()
    // The smallest archive would cost ten more seconds of CPU time.
    const env = { ...process.env, GZIP: '-1' }
    execFileSync(process.execPath, ['scripts/release.mjs', '--to', directory], { cwd: root, env })
    execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: directory })
    const archive = readdirSync(directory).find((file) => file.endsWith('.tar.gz')) ?? ''
    execFileSync('tar', ['-xzf', archive], { cwd: directory })
    const tree = join(directory, archive.replace('.tar.gz', ''))
    expect(existsSync(join(tree, 'node_modules/vitest'))).toBe(false)

    const page = execFileSync('unshare', ['--net', 'sh', '-c', visit], {
      cwd: tree,
      env: { DATA_DIR: siteDirectory(), PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
      encoding: 'utf8',
    })
    expect(page).toMatch(/^200 .*<div id="root"/s)
  },
)
