/** Whether this browser records: on HTTPS, and with the older one of the two kinds of encoders, which all have. */
export const canRecord = (): boolean => 'mediaDevices' in navigator && 'MediaRecorder' in globalThis
