export async function togglePictureInPicture(video: HTMLVideoElement) {
  try {
    if (document.pictureInPictureElement === video) await document.exitPictureInPicture()
    else await video.requestPictureInPicture()
  } catch {
    // Refused by the browser, or no picture yet: nothing changes.
  }
}
