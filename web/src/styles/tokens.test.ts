import { readFileSync } from 'node:fs'
import { contrast } from '@kinora/contract/accent.ts'
import { expect, test } from 'vitest'

const sheet = readFileSync(new URL('tokens.css', import.meta.url), 'utf8')

/** The declarations of the block that begins with a selector, by name. */
const blockOf = (selector: string) => {
  const start = sheet.indexOf(`${selector} {`)
  const block = sheet.slice(start, sheet.indexOf('\n}', start))
  return Object.fromEntries(
    [...block.matchAll(/(--[\w-]+): ([^;]+);/g)].map(([, name, value]) => [name, value]),
  )
}

const light = blockOf(':root')
const themes = { light, dark: { ...light, ...blockOf(":root[data-theme='dark']") } }

const surfaces = ['bg', 'raised', 'sunken', 'hover', 'quiet']
const texts = ['ink', 'ink-2', 'ink-3', 'accent', 'accent-hover', 'danger', 'ok']
/** Text and what it stands on. */
const pairs = [
  ...texts.flatMap((text) => surfaces.map((surface) => [text, surface] as const)),
  ['on-accent', 'accent'],
  ['on-accent', 'accent-hover'],
  ['on-solid', 'solid'],
  ['on-solid', 'solid-hover'],
  ['on-danger', 'danger'],
  ['accent', 'accent-soft'],
  ['ink', 'accent-soft'],
  ['danger', 'danger-soft'],
  ['ok', 'ok-soft'],
  ['on-video', 'video-menu'],
  ['on-video-2', 'video-menu'],
] as const

test.each(Object.entries(themes))('text of the %s theme is readable', (_, tokens) => {
  const colourOf = (name: string): string => {
    const value = tokens[`--${name}`] ?? ''
    return value.startsWith('var(--') ? colourOf(value.slice(6, -1)) : value
  }
  const unreadable = pairs.filter(([text, surface]) => contrast(colourOf(text), colourOf(surface)) < 4.5)
  expect(unreadable).toEqual([])
})
