/** Whether its user has allowed a device before, so that opening it asks nothing. */
export async function isAllowed(device: 'camera' | 'microphone'): Promise<boolean> {
  try {
    return (await navigator.permissions.query({ name: device })).state === 'granted'
  } catch {
    // Firefox and Safari may not know the name.
    return false
  }
}
