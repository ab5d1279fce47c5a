import type { Random } from './random.ts'
import type { SceneKind } from './scenes.ts'

const videosCount = 200

/** Users of the demo and their videos. */
export interface Channel {
  username: string
  fullname: string
  kind: SceneKind
}

export const channels: readonly Channel[] = [
  { username: 'inesokafor', fullname: 'Ines Okafor', kind: 'hills' },
  { username: 'longwayround', fullname: 'The Long Way Round', kind: 'hills' },
  { username: 'tomasz', fullname: 'Tomasz Wieczorek', kind: 'hills' },
  { username: 'saltandslate', fullname: 'Salt & Slate', kind: 'sea' },
  { username: 'mirelund', fullname: 'Mire Lund', kind: 'sea' },
  { username: 'quietridge', fullname: 'Quiet Ridge', kind: 'hills' },
  { username: 'harukisato', fullname: 'Haruki Sato', kind: 'city' },
  { username: 'northernhours', fullname: 'Northern Hours', kind: 'sea' },
  { username: 'amelievoss', fullname: 'Amélie Voss', kind: 'hills' },
  { username: 'deserttrain', fullname: 'Desert Train', kind: 'hills' },
  { username: 'oldroads', fullname: 'Old Roads', kind: 'hills' },
  { username: 'farah', fullname: 'Farah Nazari', kind: 'city' },
  { username: 'windowseat', fullname: 'Window Seat', kind: 'city' },
  { username: 'colourlab', fullname: 'The Colour Lab', kind: 'colour' },
  { username: 'slowlight', fullname: 'Slow Light', kind: 'colour' },
  { username: 'pigment', fullname: 'Pigment & Co', kind: 'colour' },
  { username: 'nilsberg', fullname: 'Nils Berg', kind: 'colour' },
  { username: 'deepzoom', fullname: 'Deep Zoom', kind: 'fractal' },
  { username: 'marginnotes', fullname: 'Margin Notes', kind: 'fractal' },
  { username: 'smallrules', fullname: 'Small Rules', kind: 'growth' },
]

const places = [
  'Hardangervidda',
  'Wadi Rum',
  'the Salar de Uyuni',
  'the Lofoten',
  'the Karoo',
  'Cappadocia',
  'the Cairngorms',
  'the Pamir Highway',
  'Torres del Paine',
  'the Tian Shan',
  'the Dolomites',
  'the Atlas',
  'Big Bend',
  'the Svaneti valleys',
  'the Faroe Islands',
  'the Black Forest',
  'Patagonia',
  'the Hindu Kush',
  'the Great Karoo',
  'Snæfellsnes',
  'the Sierra Nevada',
  'Kyushu',
  'the Drakensberg',
  'the Picos de Europa',
]
const landTitles = [
  'First light over {place}',
  'Walking west across {place}',
  'One quiet hour in {place}',
  'The last ridge before {place}',
  'Four days alone in {place}',
  'Why nobody hurries in {place}',
  '{place}, seen from the slow train',
  'Waiting for the moon above {place}',
  'A map of {place}, drawn from memory',
  'What the shepherds of {place} know about weather',
  'Fog, then sun, then {place}',
  'Camping below the pass: {place}',
]
const coasts = [
  'Skagen',
  'Finisterre',
  'the Outer Hebrides',
  'Hokkaido',
  'Chiloé',
  'Öland',
  'the Skeleton Coast',
  'Nazaré',
  'Big Sur',
  'Cape Reinga',
  'Zanzibar',
  'the Curonian Spit',
]
const seaTitles = [
  'Low tide at {place}',
  'The sea before a storm, {place}',
  'Night ferry to {place}',
  'An hour of waves at {place}',
  '{place}: the last lighthouse',
  'Swimming in November off {place}',
  'Waiting for the boats, {place}',
]
const cities = [
  'Tbilisi',
  'Osaka',
  'Porto',
  'Lagos',
  'Montréal',
  'Valparaíso',
  'Kraków',
  'Hanoi',
  'Rotterdam',
  'Tehran',
  'Glasgow',
  'Belgrade',
]
const cityTitles = [
  '{place} after midnight',
  'The roofs of {place}',
  'Who is still awake in {place}?',
  '{place} from the night train',
  'Sunday morning, {place}',
  'Learning to love {place}',
  'One window in {place}',
]
const titles: Record<'colour' | 'fractal' | 'growth', readonly string[]> = {
  colour: [
    'Why this orange only exists at dusk',
    'A study in amber',
    'Mixing a blue that does not go grey',
    'Ten seconds of every colour in a peach',
    'How gradients lie to your eyes',
    'Teal and rust: the palette of old movies',
    'Painting a room with light only',
    'The violet that printers cannot print',
    'A sky made of five colours',
    'What happens between red and gold',
    'Colour for people who wear black',
    'Slow fade, no cuts',
    'The warmest white',
    'Learning to see green',
    'A sunrise, without the sun',
    'Soft edges',
  ],
  fractal: [
    'Falling into Seahorse Valley',
    'The same shape, a billion times smaller',
    'A coastline with no end',
    'Where the spirals come from',
    'Mandelbrot, explained with a paper clip',
    'Zooming until the numbers run out',
    'The elephant valley, slowly',
    'One equation, one afternoon',
    'Infinite detail on a pocket calculator',
    'What lives on the edge of the set',
    'A tour of the antennas',
    'Self-similarity in ferns and rivers',
    'The prettiest bug I ever wrote',
    'How deep does it go?',
    'Notes in the margin of Julia',
    'A mini-set, found by accident',
    'Counting iterations by hand',
    'The needle at minus two',
    'Symmetry that is not quite',
    'Dust, dendrites and discs',
  ],
  growth: [
    'A city that builds itself',
    'Three rules and a surprise',
    'The glider that never lands',
    'Watching mould think',
    'Life at twenty-four frames a second',
    'High life: one more rule',
    'What survives after a thousand steps',
    'Order, disorder, order',
    'A garden of Eden you cannot reach',
    'Small rules, large patterns',
  ],
}

const openings = [
  'Filmed in one go, without music.',
  'I had planned something else entirely; this was better.',
  'The third part of a series that was meant to have one.',
  'Recorded on a Tuesday, when nobody was there.',
  'A short one this week.',
  'Many of you asked for this after the last video.',
  'No script, no drone, just patience.',
]
const middles = [
  'Watch how the light changes at 0:04: that is the moment I stayed for.',
  'The details are best in the highest quality, on a large screen, in a dark room.',
  'If you recognise the place, do not tell the others.',
  'I made notes on the way and will put them up next week.',
  'Everything here was made by a few lines of arithmetic.',
  'It is slower than you expect, and that is the point.',
]
const closings = [
  'Thank you for watching to the end.',
  'More every Sunday.',
  'Questions below: I read all of them.',
  'Take it with you, share it, but let it stay quiet.',
  'The next one goes further.',
]

/** All videos, interleaved by channel, so that the newest ones are from different channels. */
export function planVideos(random: Random): { channel: Channel; title: string }[] {
  const everywhere = (names: readonly string[], patterns: readonly string[]) =>
    names.flatMap((place) =>
      patterns.map((pattern) => {
        const text = pattern.replace('{place}', place)
        return text.charAt(0).toUpperCase() + text.slice(1)
      }),
    )
  const shuffled = (texts: readonly string[]) => random.some(texts, texts.length)
  const left = {
    hills: shuffled(everywhere(places, landTitles)),
    sea: shuffled(everywhere(coasts, seaTitles)),
    city: shuffled(everywhere(cities, cityTitles)),
    colour: shuffled(titles.colour),
    fractal: shuffled(titles.fractal),
    growth: shuffled(titles.growth),
  }
  const plan: { channel: Channel; title: string }[] = []
  while (plan.length < videosCount) {
    for (const channel of random.some(channels, channels.length)) {
      const title = left[channel.kind].pop()
      if (title !== undefined && plan.length < videosCount) plan.push({ channel, title })
    }
  }
  return plan
}

export function descriptionOf(random: Random): string {
  return [random.pick(openings), random.pick(middles), random.pick(closings)].join('\n\n')
}

export const remarks: readonly string[] = [
  'I keep coming back to this one.',
  'The colours at the end!',
  'Watched it three times before breakfast.',
  'This is exactly the pace I needed today.',
  'How long did you wait for that light?',
  'My grandmother grew up near there. Thank you.',
  'Sent it to my whole team, nobody worked for ten minutes.',
  '0:03 made me gasp.',
  'Please never add music to these.',
  'What lens is this?',
  'I thought it was a painting for a moment.',
  'More of this, less of everything else.',
  'The best thing on the front page today.',
  'Subscribed because of this one.',
  'Very calming. My cat agrees.',
  'Could you do a longer version?',
  'I do not understand it, but I like it.',
  'So that is where the name comes from!',
  'The last second is perfect.',
  'I would hang this on my wall.',
  'First time I see it explained without hand-waving.',
  'Slow television at its finest.',
  'Saving this for a grey November day.',
  'You can almost hear the wind.',
  'Beautiful work, as always.',
  'Now I have to go there.',
  'Simple and generous. Thanks.',
  'Is this the same spot as in your first video?',
]
