import fastCheck from 'fast-check'

/**
 * Test set-up: property tests use the same seed everywhere, so that they fail for the change that breaks them.
 * `PROPERTY_SEED=2 npm test -- unit` uses other cases.
 */
fastCheck.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 1) })
