// Imported before modules that an older Node cannot run.
const [major, minor] = process.version.slice(1).split('.').map(Number)
if (major < 20 || (major === 20 && minor < 11)) {
  console.error(
    `Kinora needs Node 20.11 or newer; this is Node ${process.version.slice(1)}. Install it from https://nodejs.org.`,
  )
  process.exit(1)
}
