import fastCheck from 'fast-check'

/**
 * Set-up of the tests: properties are tried with the same cases on every machine, so that a case that breaks one is met by
 * who changes something, not by who comes next. `PROPERTY_SEED=2 npm test -- unit` tries others.
 */
fastCheck.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 1) })
