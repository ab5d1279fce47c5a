import type { PathKind } from '@kinora/platform/http/security/security-headers.ts'

/** Classifies a path for security headers and limits. */
export function kindOfPath(path: string): PathKind {
  if (path === '/api' || path.startsWith('/api/')) return 'api'
  if (path.startsWith('/media/')) return 'media'
  return path.startsWith('/embed/') ? 'embed' : 'page'
}
