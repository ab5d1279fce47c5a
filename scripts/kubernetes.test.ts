import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Deployment } from 'kubernetes-models/apps/v1'
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2'
import { Job } from 'kubernetes-models/batch/v1'
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import { ConfigMap, Secret, Service } from 'kubernetes-models/v1'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'

const directory = join(import.meta.dirname, '../packaging/kubernetes')
const read = (file: string) => readFileSync(join(directory, file), 'utf8')
const kinds = [
  ConfigMap,
  Deployment,
  HorizontalPodAutoscaler,
  Job,
  NetworkPolicy,
  PodDisruptionBudget,
  Secret,
  Service,
]

interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string }
}

const manifests = globSync('*.yaml', { cwd: directory })
  .filter((file) => file !== 'kustomization.yaml')
  .flatMap((file) => parseAllDocuments(read(file)).map((document): Manifest => document.toJS()))

/** Throws for a manifest that does not follow the schema of its kind in Kubernetes. */
function validate({ apiVersion, kind, ...fields }: Manifest): void {
  const known = kinds.find((each) => each.kind === kind && each.apiVersion === apiVersion)
  if (!known) throw new Error(`${apiVersion} ${kind} is unknown`)
  new (known as new (data: object) => { validate(): void })(fields).validate()
}

test.each(manifests)('$kind $metadata.name follows the schema of Kubernetes', (manifest) => {
  expect(() => validate(manifest)).not.toThrow()
})

test('a wrong manifest does not', () => {
  const deployment = manifests.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'web')
  const text = JSON.stringify(deployment)
  expect(() => validate(JSON.parse(text.replace('"containerPort":3000', '"containerPort":"3000"')))).toThrow(
    'containerPort must be integer',
  )
  expect(() => validate(JSON.parse(text.replace('"selector"', '"selectr"')))).toThrow('selector')
})

test('kustomization.yaml lists every file', () => {
  expect(parse(read('kustomization.yaml')).resources.toSorted()).toEqual(
    globSync('*.yaml', { cwd: directory })
      .filter((file) => file !== 'kustomization.yaml')
      .toSorted(),
  )
})

test('names only settings, metrics and roles that exist', () => {
  const program = (file: string) => readFileSync(join(import.meta.dirname, '..', file), 'utf8')
  const settings = program('docs/settings.md')
  const text = globSync('*.yaml', { cwd: directory }).map(read).join('\n')
  const names = new Set(text.match(/\b[A-Z]+(?:_[A-Z]+)+\b/g))
  expect([...names].filter((name) => !settings.includes(`\`${name}\``))).toEqual([])
  for (const [, metric = ''] of text.matchAll(/name: (kinora_\w+)/g))
    expect(program('server/src/context/metrics.ts')).toContain(`'${metric}'`)
  for (const [, role = ''] of text.matchAll(/args: \[(\w+)\]/g))
    expect(program('bin/kinora')).toMatch(new RegExp(`\\b${role}\\b`))
})
