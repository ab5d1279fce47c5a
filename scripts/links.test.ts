import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: root })

describe.each(pages)('%s', (page) => {
  const text = readFileSync(join(root, page), 'utf8')
  const targets = new Set([...text.matchAll(/\]\((?!\w+:)([^)]+)\)/g)].map(([, target = '']) => target))

  test('links to files and headings that exist', () => {
    expect([...targets].filter((target) => !exists(page, target))).toEqual([])
  })
})

test('docs/README.md lists every page of docs/', () => {
  const index = readFileSync(join(root, 'docs/README.md'), 'utf8')
  const listed = pages
    .filter((page) => page.startsWith('docs/') && !page.startsWith('docs/decisions/'))
    .map((page) => relative('docs', page))
  expect(listed.filter((page) => page !== 'README.md' && !index.includes(`](${page})`))).toEqual([])
})

function exists(page: string, target: string): boolean {
  const [path = '', heading] = target.split('#')
  const file = path === '' ? join(root, page) : join(root, dirname(page), path)
  if (!existsSync(file)) return false
  return heading === undefined || headingsOf(readFileSync(file, 'utf8')).includes(heading)
}

/** The anchors that GitHub gives to headings. */
function headingsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  )
}
