import { z } from 'zod'
import { api, exportedSchemas, type Noun } from './api.ts'
import { apiPrefix, type Endpoint, type EventsOf } from './endpoint.ts'
import { responseExampleOf, exampleOf } from './examples.ts'
import { failureResponses, failureResponsesOf, failureSchema } from './openapi-failures.ts'
import { type TextLimits, defaultSettings } from './settings.ts'
import { tokenScopeOf, tokenScopes } from './accounts/token-scopes.ts'
import { limitedTexts } from './text.ts'
import { uploadsPath } from './constants.ts'

type Json = Record<string, unknown>

// Exported schemas are named in the document. Requests inline them, because they may leave out fields that responses always have.
for (const [name, schema] of exportedSchemas) {
  z.globalRegistry.add(schema, { ...z.globalRegistry.get(schema), id: name })
}

const tags: Record<Noun, string> = {
  videos: 'The catalogue: listing, watching and changing videos.',
  uploads:
    `Putting a video on the site: in one request, or resumably. Resumable uploads speak tus 1.0 (https://tus.io) at ` +
    `\`${apiPrefix}${uploadsPath}\` with the session's cookie or an API token with the scope \`upload\`; when all bytes are there, publishing makes the video.`,
  events: 'What happens to the caller, as a stream: progress of own videos and unread notifications.',
  playback: 'Preparing own videos for playback again.',
  captions: 'Captions of own videos.',
  cuts: 'What viewers see of the files of own videos.',
  studio: 'Own videos, whatever their visibility, with their totals.',
  collaborators: 'People who work on a channel of somebody else.',
  handovers: 'Giving videos to another account.',
  premieres: 'Videos that everybody watches together for the first time.',
  'share-links': 'Links with which people without an account watch a video or a playlist.',
  embeds: 'Sites that may embed own videos.',
  intros: 'Short videos of a channel before and after its other videos.',
  transcriptions: 'Captions that the site writes by recognizing speech.',
  waveforms: 'The sound of own videos as a waveform, for the cut editor.',
  announcements: 'Live streams of the own channel that were announced for a time.',
  coming: 'Live streams and premieres that run or are announced.',
  'live-streams': 'Videos whose source still grows.',
  'video-deletion': 'Deleting own videos.',
  analytics: 'How videos were watched.',
  channels: 'What channels show: text, links, videos and playlists.',
  search: 'Full-text search for videos.',
  recommendations: 'Videos to watch after a video, and those that the caller does not want to see there.',
  subscriptions: 'Following channels.',
  feeds: 'The secret address of the RSS feed of the subscriptions.',
  history: 'Watch history and positions of the caller.',
  playlists: 'Playlists of an account, including Watch later.',
  clips: 'Parts of videos that viewers share under a title.',
  'shared-playlists': 'Links to playlists, and what they show.',
  chat: 'Chats of premieres and live streams, replayed with the video.',
  comments: 'Comments on videos.',
  likes: 'Liking videos and comments.',
  mutes: 'People whose videos and comments the caller does not see.',
  users: 'Accounts and channels.',
  registrations: 'Creating accounts.',
  'sign-in': 'Signing in.',
  sessions: 'Signing out, and the browsers that are signed in.',
  'second-factor': 'Signing in with an authenticator app as well.',
  passkeys: 'Passkeys of the caller.',
  oidc: 'Signing in at identity providers.',
  passwords: 'Changing and resetting passwords.',
  emails: 'Name and email address of the caller.',
  'api-tokens': 'Tokens with which programs call this API.',
  notifications: 'Notifications of the caller.',
  'notification-mails': 'Notifications by mail.',
  'notification-pushes': 'Notifications by web push.',
  webhooks: 'Sending events to other sites.',
  'account-exports': 'The archive of an account.',
  'folder-imports': 'Importing folders of the server.',
  'account-imports': 'Importing archives of this and other platforms.',
  'video-imports': 'Videos that are fetched from an address.',
  'feed-imports': 'RSS and Atom feeds whose videos are imported.',
  'account-deletion': 'Deleting the account of the caller, and what is stored about it.',
  site: 'Name, texts and settings of the site.',
  setup: 'The first start of a site.',
  administration: 'The overview, the audit log and invitations.',
  people: 'Accounts of everybody.',
  moderation: 'Videos and comments of everybody, and suspensions.',
  reports: 'Reports to the moderators, and their decisions.',
  health: 'Whether everything works.',
  jobs: 'Background work.',
  storage: 'What the files of the site occupy.',
  backups: 'Backups of the site.',
}

const description = `Everything the site does, for programs.

***Responses.** Every response below \`${apiPrefix}\` is JSON in an envelope: \`success\`, \`statusCode\`, \`message\` and \`data\`;
lists that go on carry \`nextCursor\` beside it: give it back as \`?cursor=\` for the next page, until it is null.
A failure carries a \`code\`, \`reason\` and \`params\` for programs, a \`message\` for people, \`errors\` that name the field, and \`requestId\`.

**Signing in.** \`POST /users/login\` sets an HttpOnly cookie; send it with every further call.

**API tokens.** Programs send \`Authorization: Bearer kin_…\` instead, a token of the account page. Each operation below lists
the scope that it needs; operations without \`apiToken\` accept none. A request with a token is authorized by it alone:
its cookies are ignored. An unknown, expired or revoked token gets 401, a missing scope 403. Operations that need no
sign-in ignore the token.

**Bodies** are taken as JSON and form-encoded alike; files come as multipart/form-data.

**Limits.** Too many requests get 429 with \`Retry-After\`. Browsers may call from the site's own pages only.`

/** Schemas collected during generation, and the limits of this site. */
interface Scope {
  schemas: Json
  limits: TextLimits
}

/** The OpenAPI 3.1 document of every endpoint, for the reference and for tools. */
export function openApiDocument(limits: TextLimits = defaultSettings): Json {
  const schemas: Json = {}
  const scope = { schemas, limits }
  const paths: Record<string, Json> = {}
  for (const endpoint of api) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(endpoint, scope) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Kinora', version: '1', description, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: apiPrefix }],
    tags: Object.entries(tags).map(([name, text]) => ({ name, description: text })),
    paths,
    components: {
      schemas: { ...schemas, Failure: failureSchema },
      responses: failureResponses,
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'session' },
        apiToken: {
          type: 'http',
          scheme: 'bearer',
          description: `An API token (\`kin_…\`) with the scope that the operation lists: ${tokenScopes.join(', ')}.`,
        },
      },
    },
  }
}

function operationOf(endpoint: Endpoint, scope: Scope): Json {
  const { params, query } = exampleOf(endpoint)
  const parameters = [
    ...parametersOf('path', endpoint.params, scope, params),
    ...parametersOf('query', endpoint.query, scope, query),
  ]
  return {
    operationId: endpoint.name,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    security: securityOf(endpoint),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...requestBodyOf(endpoint, scope),
    responses: responsesOf(endpoint, scope),
  }
}

/** Ways to authorize a call, with the scope of an API token; `{}` is none. */
function securityOf(endpoint: Endpoint): Json[] {
  if (endpoint.auth === 'none') return []
  const scope = tokenScopeOf(endpoint)
  return [
    ...(endpoint.auth === 'optional' ? [{}] : []),
    { session: [] },
    ...(scope ? [{ apiToken: [scope] }] : []),
  ]
}

function parametersOf(
  place: 'path' | 'query',
  object: z.ZodObject | undefined,
  scope: Scope,
  example: Json = {},
): Json[] {
  if (!object) return []
  const { properties = {}, required = [] } = schemaOf(object, 'input', scope) as {
    properties?: Json
    required?: string[]
  }
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema,
    example: example[name],
  }))
}

function requestBodyOf(endpoint: Endpoint, scope: Scope): Json {
  const { body, files } = endpoint
  if (!body && !files) return {}
  const sent = exampleOf(endpoint)
  const example = Object.assign({}, sent.body, sent.files)
  const schema: Json = body ? schemaOf(body, 'input', scope) : { type: 'object' }
  if (!files) {
    const kinds = ['application/json', 'application/x-www-form-urlencoded']
    const ordered = endpoint.encoding === 'form' ? kinds.toReversed() : kinds
    const content = Object.fromEntries(
      [...ordered, 'multipart/form-data'].map((kind) => [kind, { schema, example }]),
    )
    return { requestBody: { required: true, content } }
  }
  const fileSchemas = Object.entries(files).map(([name, file]) => [
    name,
    { type: 'string', format: 'binary', description: file.description },
  ])
  const form = {
    ...schema,
    properties: { ...(schema['properties'] as Json | undefined), ...Object.fromEntries(fileSchemas) },
    required: [
      ...((schema['required'] as string[] | undefined) ?? []),
      ...Object.entries(files)
        .filter(([, file]) => file.required)
        .map(([name]) => name),
    ],
  }
  return { requestBody: { required: true, content: { 'multipart/form-data': { schema: form, example } } } }
}

function responsesOf(endpoint: Endpoint, scope: Scope): Json {
  const status = endpoint.status ?? 200
  const example = responseExampleOf(endpoint)
  return {
    [status]: {
      description: endpoint.message,
      content: endpoint.events
        ? { 'text/event-stream': { schema: eventsOf(endpoint.events, scope), example } }
        : { 'application/json': { schema: envelopeOf(endpoint, scope), example } },
    },
    ...failureResponsesOf(endpoint),
    default: { $ref: '#/components/responses/Failure' },
  }
}

/** Schema of the `data` line of each event. */
function eventsOf(events: EventsOf, scope: Scope): Json {
  const kinds = Object.entries(events).map(([name, schema]) => ({
    type: 'object',
    description: 'Server-sent events; lines that begin with a colon keep the connection alive.',
    properties: { event: { const: name }, data: schemaOf(schema, 'output', scope) },
    required: ['event', 'data'],
  }))
  return kinds.length === 1 ? (kinds[0] as Json) : { oneOf: kinds }
}

function envelopeOf(endpoint: Endpoint, scope: Scope): Json {
  const status = endpoint.status ?? 200
  const properties: Json = {
    success: { const: true },
    statusCode: { const: status },
    message: { type: 'string', examples: [endpoint.message] },
    data: schemaOf(endpoint.result, 'output', scope),
    ...(endpoint.paged ? { nextCursor: { type: ['string', 'null'] } } : {}),
  }
  return { type: 'object', properties, required: Object.keys(properties) }
}

/** A schema as JSON Schema; named schemas in it are added to `schemas` and referenced. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output', scope: Scope): Json {
  const converted = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const limited = limitedTexts.get(zodSchema)
      if (limited && io === 'input') jsonSchema.maxLength = scope.limits[limited.limit]
      delete jsonSchema.id
      // the format implies the pattern of an instant
      if (jsonSchema.format) delete jsonSchema.pattern
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      // responses may gain fields
      if (io === 'output') delete jsonSchema.additionalProperties
    },
  })
  const { $schema: _, $defs = {}, ...rest } = JSON.parse(JSON.stringify(converted)) as Json & { $defs?: Json }
  if (io === 'input') return inlineRefs(rest, $defs)
  Object.assign(scope.schemas, withComponentRefs($defs))
  return withComponentRefs(rest)
}

const definitionsPath = '#/$defs/'

/** The same schema with references to the schemas of the document. */
function withComponentRefs(schema: Json): Json {
  return JSON.parse(
    JSON.stringify(schema).replaceAll(`"${definitionsPath}`, '"#/components/schemas/'),
  ) as Json
}

/** The same schema with the definitions in place of references to them. */
function inlineRefs(schema: Json, definitions: Json): Json {
  return JSON.parse(JSON.stringify(schema), (_, value: unknown) => {
    const ref = typeof value === 'object' && value !== null && '$ref' in value ? value.$ref : undefined
    if (typeof ref !== 'string') return value
    return inlineRefs(definitions[ref.slice(definitionsPath.length)] as Json, definitions)
  }) as Json
}
