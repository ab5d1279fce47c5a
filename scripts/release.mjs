import { createHash } from 'node:crypto'
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { isReleased, parts } from './release-parts.ts'
import { installLocked, root, run, step } from './setup/steps.mjs'

/** Copies the program, the packages that it needs, and Node to a directory. */
async function writeTree(tree) {
  const packages = await listPackages()
  for (const part of [...parts, ...packages]) {
    const options = {
      recursive: true,
      verbatimSymlinks: true,
      filter: (file) => isReleased(relative(root, file)),
    }
    cpSync(join(root, part), join(tree, part), options)
  }
  const tooling = join(root, '.tooling/node')
  const node = join(tooling, `node_modules/node-${process.platform}-${process.arch}/bin/node`)
  if (!existsSync(node)) await step('Fetching Node', () => installLocked('node', tooling))
  cpSync(node, join(tree, 'bin/node'))
}

/** Lists the directories of the installed packages that the server needs to run. */
async function listPackages() {
  const wanted = ['--workspace=server', '--omit=dev', '--all', '--parseable']
  const listed = await run(['npm', 'ls', ...wanted, '--loglevel=error'])
  return [...new Set(listed.trim().split('\n'))].map((path) => relative(root, path)).filter(Boolean)
}

/** Packs a tree and describes it. Returns the files. */
async function pack(directory) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const name = `kinora-${version}-${process.platform}-${process.arch}`
  const archive = join(directory, `${name}.tar.gz`)
  const bill = join(directory, `${name}.cdx.json`)
  const openApi = join(directory, `kinora-${version}.openapi.json`)
  rmSync(directory, { recursive: true, force: true })
  await writeTree(join(directory, name))
  await step('Packing', async () => {
    // the same names, owners and order on every machine
    const owners = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner']
    await run(['tar', '-C', directory, ...owners, '-czf', archive, name])
    writeFileSync(bill, await run(['npm', 'run', '-s', 'sbom']))
    await run([process.execPath, join(root, 'scripts/openapi.ts'), openApi])
  })
  rmSync(join(directory, name), { recursive: true })
  return [archive, bill, openApi]
}

/** People of every language read a release in their own. */
async function assertTranslated() {
  await step('Checking the translations', () =>
    run([process.execPath, join(root, 'scripts/messages.ts'), '--check', '--complete']),
  )
}

/**
 * Makes a release: Node, the program, the built site and production packages, which run without compilers and without a
 * network. ffmpeg and bubblewrap come from the system.
 *
 *   npm run release                  the archive, its bill of materials, the OpenAPI document and checksums, in `release/`
 *   npm run release -- --to DIR      the same in another directory, which is emptied
 *   npm run release -- --tree DIR    the tree alone, in an empty or missing directory
 */
const { values } = parseArgs({
  options: { tree: { type: 'string' }, to: { type: 'string', default: join(root, 'release') } },
})
if (values.tree) {
  await writeTree(resolve(values.tree))
} else {
  await assertTranslated()
  const directory = resolve(values.to)
  const files = await pack(directory)
  const sums = files.map((file) => `${sha256(file)}  ${basename(file)}\n`)
  writeFileSync(join(directory, 'SHA256SUMS'), sums.join(''))
  console.log(`The release is in ${directory}`)
}

function sha256(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}
