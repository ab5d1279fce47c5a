/** Files and folders of a release, beside the packages that the server needs. */
export const parts = [
  'bin',
  'contract',
  'docs',
  'importers',
  'live',
  'media',
  'packaging',
  'platform',
  'server',
  'web/dist',
  'web/package.json',
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'SECURITY.md',
  'package.json',
  'package-lock.json',
]

/** Whether a path in the repository belongs to a release: no tests, and packages only as `npm ls` names them. */
export function isReleased(path: string): boolean {
  return !/^(importers|live|media|platform|server)\/(node_modules|src\/testing)$|\.test\.ts$/.test(path)
}
