import { relativeImports, isTest, type SourceFiles } from './folders.ts'

/** The domains in their order: each may import those before it. */
export const domains = [
  'visibility',
  'pictures',
  'messages',
  'accounts',
  'videos',
  'conversation',
  'live',
  'watching',
  'portability',
  'operations',
]

/** Domains without a folder for each noun: files of the server that several others share. */
const withoutNouns = ['visibility', 'pictures']

export const isDomainWithNouns = (name = ''): boolean =>
  domains.includes(name) && !withoutNouns.includes(name)

const contract = 'contract/src/'
const server = 'server/src/features/'
const web = 'web/src/features/'
/** Folders of the contract that contain something of each noun. */
const ofEachNoun = ['calls', 'examples']

/** One noun leads to the contract, the server and the browser's part of a feature, and domains import only what is below. */
export function checkDomains(files: SourceFiles): string[] {
  return [...checkNames(files), ...checkOrder(files), ...checkEndpoints(files), ...checkWebNouns(files)]
}

/** The domain and the noun of a file, if it is in a domain. */
function placeOf(path: string): { root: string; domain: string; noun: string } | undefined {
  const root = [contract, server, web].find((each) => path.startsWith(each))
  if (root === undefined) return undefined
  const [domain = '', noun] = path.slice(root.length).split('/')
  if (noun === undefined || (root === contract && ofEachNoun.includes(domain))) return undefined
  return { root, domain, noun: `${domain}/${noun.replace(/\.ts$/, '')}` }
}

function checkNames(files: SourceFiles): string[] {
  const places = [...files.keys()].flatMap((path) => placeOf(path) ?? [])
  const folders = new Set(places.map(({ root, domain }) => root + domain))
  return [...folders].flatMap((folder) =>
    domains.includes(folder.slice(folder.lastIndexOf('/') + 1))
      ? []
      : [`${folder}: not in the list of domains of scripts/domains.ts`],
  )
}

function checkOrder(files: SourceFiles): string[] {
  return relativeImports(files).flatMap(({ path, target }) => {
    const [from, to] = [placeOf(path), placeOf(target)]
    if (!from || !to || from.root !== to.root) return []
    return domains.indexOf(to.domain) > domains.indexOf(from.domain)
      ? [`${path}: imports ${target}: ${from.domain} is below ${to.domain}`]
      : []
  })
}

/** Each endpoint is served by the feature with the name of its module, and has that name as its tag. */
function checkEndpoints(files: SourceFiles): string[] {
  const declared = [...files].flatMap(([path, text]) =>
    path.startsWith(contract) && !isTest(path)
      ? [...text.matchAll(/^export const (\w+) = endpoint\(\{.*?\n {2}tag: (?:'([^']*)')?/gms)].map(
          ([, name = '', tag]) => ({ path, endpoint: `${placeOf(path)?.noun}: ${name}`, tag }),
        )
      : [],
  )
  const served = [...files].flatMap(([path, text]) =>
    path.startsWith(server) && !isTest(path)
      ? endpointsServedIn(text).map((endpoint) => ({ path, endpoint }))
      : [],
  )
  const inPlace = new Set(
    served.filter(({ path, endpoint }) => isOf(endpoint, path)).map(({ endpoint }) => endpoint),
  )
  return [
    ...declared.flatMap(({ path, endpoint, tag }) => [
      ...(inPlace.has(endpoint)
        ? []
        : [`${path}: no routes of ${nounOf(endpoint)} serve ${nameOf(endpoint)}`]),
      ...(nounOf(endpoint).endsWith(`/${tag}`)
        ? []
        : [`${path}: the tag of ${nameOf(endpoint)} is its noun`]),
    ]),
    ...served
      .filter(({ path, endpoint }) => !isOf(endpoint, path))
      .map(
        ({ path, endpoint }) => `${path}: serves ${nameOf(endpoint)}, which belongs to ${nounOf(endpoint)}`,
      ),
  ]
}

// an endpoint as text: `conversation/likes: toggleVideoLike`
const nounOf = (endpoint: string) => endpoint.split(': ')[0] ?? ''
const nameOf = (endpoint: string) => endpoint.split(': ')[1] ?? ''
const isOf = (endpoint: string, path: string) => path.startsWith(`${server}${nounOf(endpoint)}/`)

/** The endpoints of `route(name, …)` and `route(contract.name, …)`, by what the file imports. */
function endpointsServedIn(text: string): string[] {
  const modules = new Map<string, string>()
  for (const [, names = '', module = ''] of text.matchAll(
    /import (\{[^}]*\}|\* as \w+) from '@kinora\/contract\/([^']+)\.ts'/g,
  )) {
    for (const [, name = '', alias] of names.matchAll(/(\w+|\*)(?: as (\w+))?/g))
      modules.set(alias ?? name, name === '*' ? `${module}: ` : `${module}: ${name}`)
  }
  return [...text.matchAll(/\broute\(\s*(\w+)(?:\.(\w+))?\s*,/g)].flatMap(([, name = '', member = '']) => {
    const module = modules.get(name)
    return module === undefined ? [] : [module + member]
  })
}

/** A folder of the browser has a noun of the server. */
function checkWebNouns(files: SourceFiles): string[] {
  const nouns = (root: string) =>
    new Set([...files.keys()].flatMap((path) => (path.startsWith(root) ? (placeOf(path)?.noun ?? []) : [])))
  const known = nouns(server)
  return [...nouns(web)].flatMap((noun) =>
    known.has(noun) ? [] : [`${web}${noun}: there is no ${server}${noun}; one noun leads to both`],
  )
}
