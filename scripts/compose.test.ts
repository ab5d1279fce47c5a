import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

interface Service {
  image?: string
  build?: { dockerfile: string }
  command?: string
  depends_on?: string[] | Record<string, unknown>
  environment?: Record<string, string | number>
  read_only?: boolean
  volumes?: string[]
}

const root = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

const files = ['compose.yaml', 'compose.scale.yaml'].map((file) => {
  const { services, volumes } = parse(read(file), { merge: true })
  return { file, services: services as Record<string, Service>, volumes: Object.keys(volumes) }
})

test.each(files)('$file names only services and volumes that it defines', ({ services, volumes }) => {
  const named = Object.values(services).flatMap((service) => service.volumes ?? [])
  expect(new Set(named.map((each) => each.split(':')[0]))).toEqual(new Set(volumes))
  const dependencies = Object.values(services).map(({ depends_on: names = [] }) =>
    Array.isArray(names) ? names : Object.keys(names),
  )
  expect(dependencies.flat().filter((name) => services[name] === undefined)).toEqual([])
})

test.each(files)('$file runs roles that exist, with settings that exist', ({ services }) => {
  const ours = Object.values(services).filter(({ build }) => build)
  expect(ours.length).toBeGreaterThan(0)
  for (const { command = 'all', environment = {}, read_only: isReadOnly } of ours) {
    expect(read('bin/kinora')).toMatch(new RegExp(`\\b${command}\\b`))
    const unknown = Object.keys(environment).filter(
      (name) => !read('docs/settings.md').includes(`**\`${name}\`**`),
    )
    expect(unknown).toEqual([])
    expect(isReadOnly).toBe(true)
  }
})

test('images of others have a version', () => {
  const images = files.flatMap(({ services }) => Object.values(services).map(({ image }) => image))
  const others = images.filter((image) => image !== undefined && image !== 'kinora')
  expect(others.filter((image) => !/:\d/.test(image ?? ''))).toEqual([])
})

test('the page of containers names what compose.scale.yaml asks for', () => {
  const asked = new Set(
    Array.from(read('compose.scale.yaml').matchAll(/\$\{(\w+):\?\}/g), ([, name]) => name),
  )
  const page = read('docs/operations/containers.md')
  expect([...asked].filter((name) => !page.includes(`${name}=`))).toEqual([])
})
