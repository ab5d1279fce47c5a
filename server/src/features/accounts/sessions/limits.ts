import { defineLimit } from '../../../context/limits.ts'

/** Notifications of sign-ins with new devices, per account; more are omitted silently. */
export const newDeviceLimit = defineLimit(({ config, shared }) =>
  shared('new_devices', config.newDevicesPerHour, 3600),
)
