// Which files may import which: `npm run check` refuses every other import. oxlint finds cycles between files,
// `scripts/check-structure.ts` cycles between folders.
import swc from '@swc/core/Visitor.js'

// dependency-cruiser finds imports with swc's visitor, which does not know `using x = …`. Its other parsers cannot read
// this code: acorn reads no TypeScript, and tsc needs the API of TypeScript 6 or older.
const visitStatement = swc.Visitor.prototype.visitStatement
swc.Visitor.prototype.visitStatement = function (statement) {
  if (statement.type !== 'UsingDeclaration') return visitStatement.call(this, statement)
  this.visitVariableDeclarators(statement.decls)
  return statement
}

const contract = '^contract/src/'
const platform = '^platform/src/'
const media = '^media/src/'
const importers = '^importers/src/'
const live = '^live/src/'
const features = '^server/src/features/'
const context = '^server/src/context/'
const application = '^server/src/app/'

const webBase = '^web/src/(ui|lib)/|^web/src/paths[.]ts$'
const webFeatures = '^web/src/features/'
const webPages = '^web/src/(pages|layout)/'

/** Each layer with all that it may import besides itself, Node and packages. */
const layers = {
  contract: { of: contract, imports: [] },
  platform: { of: platform, imports: [contract] },
  media: { of: media, imports: [platform, contract] },
  importers: { of: importers, imports: [media, platform, contract] },
  live: { of: live, imports: [media, platform, contract] },
  features: { of: features, imports: [context, importers, live, media, platform, contract] },
  context: { of: context, imports: [media, platform, contract] },
  application: { of: application, imports: [features, context, media, platform, contract] },
  http: { of: '^server/src/http/', imports: [features, context, media, platform, contract] },
  cli: { of: '^server/src/cli/', imports: [application, features, context, media, platform, contract] },
  supervisor: {
    of: '^server/src/supervisor/',
    imports: [application, features, context, platform, contract],
  },
  demo: { of: '^server/src/demo/', imports: [application, features, context, media, platform, contract] },
  bin: { of: '^server/src/bin/', imports: ['^server/src/(?!testing/)', live, media, platform, contract] },
  'web-base': { of: webBase, imports: [contract, '^web/src/(styles|locales)/'] },
  'web-features': { of: webFeatures, imports: [webBase, contract] },
  'web-pages': { of: webPages, imports: [webFeatures, webBase, contract] },
}

const layerRules = Object.entries(layers).map(([name, { of, imports }]) => ({
  name: `layer-${name}`,
  comment: `Imports go down the layers only: see "Layers" in CONTRIBUTING.md.`,
  severity: 'error',
  from: { path: of },
  to: {
    path: '^(contract|importers|media|platform|server|web|e2e|bench|chaos|scripts)/',
    pathNot: [of, 'node_modules/', ...imports],
  },
}))

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...layerRules,
    {
      name: 'contract-imports-zod-only',
      comment: 'Browser and server share the contract.',
      severity: 'error',
      from: { path: contract },
      to: { pathNot: [contract, '^node_modules/zod/'] },
    },
    {
      name: 'media-without-database-and-http',
      comment: 'media turns a file into HLS, and knows neither a database nor HTTP.',
      severity: 'error',
      from: { path: media },
      to: { path: [`${platform}(db|http|jobs)/`, '^node_modules/(fastify|kysely|pg)/'] },
    },
    {
      name: 'importers-without-database-and-http',
      comment: 'importers read what people bring, and know neither a database nor HTTP.',
      severity: 'error',
      from: { path: importers },
      to: { path: [`${platform}(db|http|jobs)/`, '^node_modules/(fastify|kysely|pg)/'] },
    },
    {
      name: 'live-without-database-and-http',
      comment: 'live receives and records streams, and knows neither a database nor HTTP.',
      severity: 'error',
      from: { path: live },
      to: { path: [`${platform}(db|http|jobs)/`, '^node_modules/(fastify|kysely|pg)/'] },
    },
    // `$1` is the feature: `visibility`, `conversation/likes`
    ...[`${features}([^/]+)/[^/]+$`, `${features}([^/]+/[^/]+)/`].map((from) => ({
      name: 'feature-interfaces',
      comment: 'Of another feature, import queries, rules, actions, limits or topics only.',
      severity: 'error',
      from: { path: from },
      to: { path: features, pathNot: [`${features}$1/`, '/(queries|rules|actions|limits|topics)(/|[.]ts$)'] },
    })),
    {
      name: 'web-features-apart',
      comment: 'Web features do not import each other. A page composes them.',
      severity: 'error',
      from: { path: `${webFeatures}([^/]+/[^/]+)/` },
      to: { path: webFeatures, pathNot: `${webFeatures}$1/` },
    },
    {
      name: 'resolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    // Tests set up what they need from any layer.
    exclude: { path: '[.](test|cluster)[.]tsx?$|^(media|platform)/src/testing/' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.mjs', '.js'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'default'],
    },
  },
}
