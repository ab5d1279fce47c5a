import { expect, test } from 'vitest'
import { api } from './api.ts'
import { exampleOf, examples } from './examples.ts'
import { openApiDocument } from './openapi.ts'

const each = api.map((endpoint) => [endpoint.name, endpoint] as const)

test.each(each)('the example of %s is valid for its schemas', (_, endpoint) => {
  const { params, query, body, files = {}, data, nextCursor, events = {} } = exampleOf(endpoint)
  expect([!params, !query, !body]).toEqual([!endpoint.params, !endpoint.query, !endpoint.body])
  for (const [schema, sent] of [
    [endpoint.params, params],
    [endpoint.query, query],
    [endpoint.body, body],
  ] as const) {
    // no unknown fields are dropped
    expect(schema?.parse(sent) ?? {}).toMatchObject(sent ?? {})
  }
  const { files: asked = {} } = endpoint
  expect(Object.keys(asked)).toEqual(expect.arrayContaining(Object.keys(files)))
  const needed = Object.keys(asked).filter((name) => asked[name]?.required)
  expect(Object.keys(files)).toEqual(expect.arrayContaining(needed))
  expect(endpoint.result.parse(data)).toStrictEqual(data)
  expect(nextCursor !== undefined).toBe(endpoint.paged ?? false)
  expect(Object.keys(events)).toEqual(Object.keys(endpoint.events ?? {}))
  for (const [name, example] of Object.entries(events))
    expect(endpoint.events?.[name]?.parse(example)).toStrictEqual(example)
})

test('there are no examples of removed calls', () => {
  expect([...examples.keys()].toSorted()).toEqual(api.map(({ name }) => name).toSorted())
})

interface Operation {
  operationId: string
  parameters?: { name: string; example?: unknown }[]
  requestBody?: { content: Record<string, { example?: unknown }> }
  responses: Record<string, { content?: Record<string, { example?: unknown }> }>
}

test('the document contains the examples, with responses in their envelope', () => {
  // the part of our own document that is inspected
  const { paths } = openApiDocument() as { paths: Record<string, Record<string, Operation>> }
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  expect(operations).toHaveLength(api.length)
  for (const { operationId, parameters = [], requestBody, responses } of operations) {
    const [status = '', success] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? []
    const shown = [
      ...parameters,
      ...Object.values(requestBody?.content ?? {}),
      ...Object.values(success?.content ?? {}),
    ]
    for (const { example } of shown) expect(example, operationId).toBeDefined()
    const { data, events } = exampleOf({ name: operationId })
    const response = { success: true, statusCode: Number(status), data }
    expect(success?.content?.['application/json']?.example ?? {}).toMatchObject(events ? {} : response)
  }
})
