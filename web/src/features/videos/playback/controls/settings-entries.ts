import { t } from '@lingui/core/macro'
import { timeLocale } from '../../../../lib/i18n/language.ts'
import { type PlaybackState, rates } from '../state/playback-state.ts'
import type { Player } from '../state/player.ts'
import { renditionLabel } from '../state/renditions.ts'
import { sleepMinutes } from '../state/sleep-timer.ts'
import type { SleepTimer } from '../use-sleep-timer.ts'

/** One of several exclusive values of a setting. */
export type MenuChoice = { label: string; note?: string | undefined; isChosen: boolean; choose: () => void }

type Switch = { isOn: boolean; onToggle: () => void }

/** A row of the settings menu: a list of choices that opens, or a switch. */
export type MenuEntry =
  | { type: 'choices'; label: string; value: string; choices: readonly MenuChoice[] }
  | { type: 'switch'; label: string; isOn: boolean; toggle: () => void }

/** The rows of the settings menu, without those for which this video offers no choice. */
export function settingsEntries(
  state: PlaybackState,
  player: Player,
  sleepTimer: SleepTimer,
  { stats, dataSaver, corner }: { stats: Switch; dataSaver: Switch; corner?: Switch | undefined },
): MenuEntry[] {
  return [
    ...(state.renditions.length > 0 ? [qualityEntry(state, player)] : []),
    {
      type: 'choices',
      label: t`Speed`,
      value: rateLabel(state.rate),
      choices: rates.map((rate) => ({
        label: rateLabel(rate),
        isChosen: rate === state.rate,
        choose: () => player.setRate(rate),
      })),
    },
    ...(state.captions.length > 0 ? [captionsEntry(state, player)] : []),
    ...(state.audioTracks.length > 1 ? [audioEntry(state, player)] : []),
    sleepEntry(sleepTimer),
    { type: 'switch', label: t`Loop`, isOn: state.isLooping, toggle: () => player.setLoop(!state.isLooping) },
    ...(corner
      ? [
          {
            type: 'switch' as const,
            label: t`Keep playing in a corner`,
            isOn: corner.isOn,
            toggle: corner.onToggle,
          },
        ]
      : []),
    { type: 'switch', label: t`Data saver`, isOn: dataSaver.isOn, toggle: dataSaver.onToggle },
    { type: 'switch', label: t`Stats for nerds`, isOn: stats.isOn, toggle: stats.onToggle },
  ]
}

const rateLabel = (rate: number) => (rate === 1 ? t`Normal` : `${rate}×`)

function qualityEntry(state: PlaybackState, player: Player): MenuEntry {
  const { renditions, chosenRendition, playingRendition } = state
  const playing = renditions.find(({ index }) => index === playingRendition)
  const playingLabel = playing && renditionLabel(playing, renditions)
  const isAuto = chosenRendition === null
  return {
    type: 'choices',
    label: t`Quality`,
    value: playingLabel === undefined ? t`Auto` : isAuto ? t`Auto (${playingLabel})` : playingLabel,
    choices: [
      {
        label: t`Auto`,
        note: isAuto ? playingLabel : undefined,
        isChosen: isAuto,
        choose: () => player.chooseRendition(null),
      },
      ...renditions.map((rendition) => ({
        label: renditionLabel(rendition, renditions),
        note: rendition.index === playingRendition ? t`playing` : undefined,
        isChosen: rendition.index === chosenRendition,
        choose: () => player.chooseRendition(rendition.index),
      })),
    ],
  }
}

function captionsEntry({ captions, shownCaptions }: PlaybackState, player: Player): MenuEntry {
  const labels = [{ index: null, label: t`Off` }, ...captions.map((label, index) => ({ index, label }))]
  return {
    type: 'choices',
    label: t`Subtitles`,
    value: labels.find(({ index }) => index === shownCaptions)?.label ?? '',
    choices: labels.map(({ index, label }) => ({
      label,
      isChosen: index === shownCaptions,
      choose: () => player.chooseCaptions(index),
    })),
  }
}

function audioEntry({ audioTracks, chosenAudioTrack }: PlaybackState, player: Player): MenuEntry {
  return {
    type: 'choices',
    label: t`Audio`,
    value: audioTracks[chosenAudioTrack] ?? '',
    choices: audioTracks.map((label, index) => ({
      label,
      isChosen: index === chosenAudioTrack,
      choose: () => player.chooseAudioTrack(index),
    })),
  }
}

function sleepEntry({ sleep, choose }: SleepTimer): MenuEntry {
  const chosen = typeof sleep === 'object' ? sleep.minutes : sleep
  const choices = [
    { value: undefined, label: t`Off` },
    ...sleepMinutes.map((value) => ({ value, label: t`${value} minutes` })),
    { value: 'end-of-video' as const, label: t`End of video` },
  ]
  return {
    type: 'choices',
    label: t`Sleep timer`,
    value:
      typeof sleep === 'object'
        ? new Date(sleep.atMs).toLocaleTimeString(timeLocale, { hour: '2-digit', minute: '2-digit' })
        : sleep
          ? t`End of video`
          : t`Off`,
    choices: choices.map(({ value, label }) => ({
      label,
      isChosen: value === chosen,
      choose: () => choose(value),
    })),
  }
}
