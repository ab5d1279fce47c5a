import fastCheck from 'fast-check'

/**
 * Test set-up: property tests use the same seed in every run, so that a failure is due to a change and not to new cases.
 * `PROPERTY_SEED=2 npm test -- unit` uses other cases.
 */
fastCheck.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 1) })
