import { expect, it } from 'vitest'
import { initialPlayback, type PlaybackState } from '../state/playback-state.ts'
import type { Player } from '../state/player.ts'
import { settingsEntries } from './settings-entries.ts'

/** The rows for this state, and the names of the commands that pressing `choice` of the row `label` runs. */
function settingsOf(change: Partial<PlaybackState>, sleep?: 'end-of-video') {
  const commands: string[] = []
  const player = new Proxy({} as Player, {
    get:
      (_player, name) =>
      (...values: unknown[]) =>
        commands.push(`${String(name)} ${values.join()}`),
  })
  const sleepTimer = {
    sleep,
    choose: (choice: unknown) => commands.push(`sleep ${String(choice)}`),
    onEnded: () => {},
    preventsNext: false,
  }
  const entries = settingsEntries({ ...initialPlayback, ...change }, player, sleepTimer, {
    stats: { isOn: true, onToggle: () => commands.push('stats') },
    dataSaver: { isOn: false, onToggle: () => commands.push('data saver') },
  })
  const press = (label: string, choice?: string) => {
    const entry = entries.find((each) => each.label === label)
    if (entry?.type === 'switch') entry.toggle()
    else entry?.choices.find((each) => each.label === choice)?.choose()
    return commands.at(-1)
  }
  return { entries, press }
}

const rendition = (index: number, lines: number) => ({ index, lines, bitrateBps: lines * 1000 })

it('lists only settings that the video has', () => {
  const labels = (change: Partial<PlaybackState>) => settingsOf(change).entries.map(({ label }) => label)
  const always = ['Speed', 'Sleep timer', 'Loop', 'Data saver', 'Stats for nerds']
  expect(labels({ audioTracks: ['English'] })).toEqual(always)
  expect(
    labels({
      renditions: [rendition(0, 240)],
      captions: ['English'],
      audioTracks: ['English', 'German'],
      chosenAudioTrack: 0,
    }).sort(),
  ).toEqual([...always, 'Audio', 'Quality', 'Subtitles'].sort())
})

it('shows the value of each setting, and marks it among the choices', () => {
  const { entries } = settingsOf(
    {
      renditions: [rendition(1, 720), rendition(0, 240)],
      playingRendition: 1,
      rate: 1.5,
      captions: ['English', 'German'],
      shownCaptions: 1,
    },
    'end-of-video',
  )
  const values = entries.map((entry) =>
    entry.type === 'switch'
      ? [entry.label, entry.isOn]
      : [
          entry.label,
          entry.value,
          entry.choices.filter(({ isChosen }) => isChosen).map(({ label }) => label),
        ],
  )
  expect(values).toEqual([
    ['Quality', 'Auto (720p)', ['Auto']],
    ['Speed', '1.5×', ['1.5×']],
    ['Subtitles', 'German', ['German']],
    ['Sleep timer', 'End of video', ['End of video']],
    ['Loop', false],
    ['Data saver', false],
    ['Stats for nerds', true],
  ])
})

it('runs the command of a choice', () => {
  const { press } = settingsOf({
    renditions: [rendition(1, 720), rendition(0, 240)],
    captions: ['English'],
    audioTracks: ['English', 'German'],
  })
  expect(press('Quality', 'Auto')).toBe('chooseRendition ')
  expect(press('Quality', '240p')).toBe('chooseRendition 0')
  expect(press('Speed', 'Normal')).toBe('setRate 1')
  expect(press('Subtitles', 'Off')).toBe('chooseCaptions ')
  expect(press('Audio', 'German')).toBe('chooseAudioTrack 1')
  expect(press('Sleep timer', '30 minutes')).toBe('sleep 30')
  expect(press('Sleep timer', 'Off')).toBe('sleep undefined')
  expect(press('Loop')).toBe('setLoop true')
  expect(press('Data saver')).toBe('data saver')
  expect(press('Stats for nerds')).toBe('stats')
})
