/**
 * Stands in for zod in the browser's bundle. The contract's schemas run on the server, which parses every result on its
 * way out; here only their types count, so a quarter of the first page's script need not travel.
 */
const refused = new Set<PropertyKey>(['parse', 'safeParse', 'parseAsync', 'safeParseAsync'])

const schema: unknown = new Proxy(() => schema, {
  get(_target, property) {
    if (refused.has(property)) throw new Error('Schemas are parsed by the server, not in the browser')
    return schema
  },
})

export { schema as z }
