import type { ESTree, Plugin } from 'vite'

type Edit = { start: number; end: number; text: string }

/** Properties of an endpoint that calls need; schemas and texts are for the server and the API reference. */
const calledWith = new Set(['method', 'path', 'encoding', 'paged'])

/** Names of the schema builders. */
const makers = new Set(['z', 'limited', 'requiredText', 'anyRequiredText', 'optionalText', 'orNothing'])

/**
 * Removes from the browser bundle the parts of the contract that only the server uses: the schemas, and endpoint properties
 * that calls do not need. `no-schemas.ts` replaces the remaining schema imports.
 */
export function leanContract(): Plugin {
  return {
    name: 'lean-contract',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /[\\/]contract[\\/]src[\\/]/ },
      handler(code) {
        const edits = this.parse(code, { lang: 'ts' }).body.flatMap((statement) => {
          const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
          if (declaration?.type !== 'VariableDeclaration') return []
          return declaration.declarations.flatMap(({ init }) => (init ? editOf(init, code) : []))
        })
        // From the end, so that earlier offsets stay valid.
        return edits.reduceRight(
          (lean, { start, end, text }) => lean.slice(0, start) + text + lean.slice(end),
          code,
        )
      },
    },
  }
}

function editOf(init: ESTree.Expression, code: string): Edit | [] {
  if (init.type !== 'CallExpression') return []
  const maker = makerOf(init)
  if (makers.has(maker)) return { start: init.start, end: init.end, text: 'z' }
  const [definition] = init.arguments
  if (maker !== 'endpoint' || definition?.type !== 'ObjectExpression') return []
  const kept = definition.properties
    .filter((property) => property.type === 'Property' && calledWith.has(nameOf(property.key)))
    .map((property) => code.slice(property.start, property.end))
  return { start: definition.start, end: definition.end, text: `{ ${kept.join(', ')} }` }
}

/** The leading identifier of a call chain: `z` of `z.string().min(1)`. */
function makerOf(expression: ESTree.Node): string {
  if (expression.type === 'CallExpression') return makerOf(expression.callee)
  if (expression.type === 'MemberExpression') return makerOf(expression.object)
  return nameOf(expression)
}

function nameOf(node: ESTree.Node): string {
  return node.type === 'Identifier' ? node.name : ''
}
