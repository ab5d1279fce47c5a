import { findAccessibilityIssues } from '../fixtures/accessibility.ts'
import { publish } from '../fixtures/clips.ts'
import { tabTo } from '../fixtures/keyboard.ts'
import { expect, test } from '../fixtures/test.ts'
import { signIn } from '../fixtures/users.ts'

const holdLinks = 'Hold comments with a link until one of the account was published'

test('a stranger spams fifty links and none becomes visible, and a moderator decides them by keyboard and all at once @nightly', async ({
  page,
  newVisitor,
  site,
}) => {
  const me = await signIn(page)
  await site.runCommand('user', 'role', me.username, '--to', 'administrator')
  const save = async () => {
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
  }
  await page.goto('/administration/settings/comments')
  await page.getByLabel(holdLinks).check()
  await save()
  const videoId = await publish(page, `Quiet water ${me.username}`)
  const [stranger, member, visitor] = [await newVisitor(), await newVisitor(), await newVisitor()]
  const [spammer, guest] = [await signIn(stranger), await signIn(member)]
  const say = async (by: typeof page, content: string) => {
    const response = await by.request.post('/api/v1/comment/add', { data: { videoId, content } })
    expect(response.status()).toBe(201)
  }
  try {
    await say(page, 'Welcome')
    await say(member, 'My notes: https://notes.example/water')
    await Promise.all(
      Array.from({ length: 50 }, (_, count) => say(stranger, `Cheap https://watches.example/${count}`)),
    )
    const shown = visitor.getByRole('region', { name: 'Comments' }).getByRole('article')
    await visitor.goto(`/video/${videoId}`)
    await expect(shown).toHaveText([/Welcome/])

    // by keyboard alone, from the first comment of the queue on
    await page.goto(`/administration/comments?show=held&text=${me.username}`)
    await page.getByRole('heading', { name: 'Comments 51' }).waitFor()
    const entries = page.getByRole('listitem').filter({ has: page.getByRole('article') })
    const focus = page.locator(':focus')
    const first = (await entries.first().textContent()) ?? ''
    await tabTo(entries.first().getByRole('button', { name: 'Remove' }))
    await page.keyboard.press('r')
    await page.getByRole('status').filter({ hasText: '1 comment deleted' }).waitFor()
    await expect(focus).toHaveRole('listitem')
    await expect(focus).not.toHaveText(first)
    await page.keyboard.press('j')
    await expect(entries.nth(1)).toBeFocused()
    await page.keyboard.press('k')
    await page.keyboard.press('Shift+Tab')
    await expect(focus).toHaveText('Undo')
    await page.keyboard.press('Enter')
    await page.getByRole('status').filter({ hasText: 'Undone' }).waitFor()
    await expect(focus).toHaveText('Undone.')
    await expect(entries.first()).toHaveText(first)
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Shift+Tab')
    await expect(focus).toHaveRole('searchbox')
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type('notes.example')
    await page.getByRole('heading', { name: 'Comments 1', exact: true }).waitFor()
    await tabTo(entries.getByRole('button', { name: 'Approve' }))
    await page.keyboard.press('a')
    await page
      .getByRole('status')
      .filter({ hasText: `Comment of @${guest.username} approved` })
      .waitFor()
    await visitor.reload()
    await expect(shown).toHaveText([/My notes/, /Welcome/])

    // all others at once
    await page.goto(`/administration/comments?show=held&text=${spammer.username}`)
    await page
      .getByRole('link', { name: `@${spammer.username}` })
      .first()
      .click()
    await page.getByRole('button', { name: 'Remove all 50…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove all' }).click()
    await page
      .getByRole('status')
      .filter({ hasText: `All comments of @${spammer.username} removed` })
      .waitFor()
    await page.goto(`/administration/comments?show=held&text=${me.username}`)
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    await visitor.reload()
    await expect(shown).toHaveText([/My notes/, /Welcome/])
  } finally {
    await page.goto('/administration/settings/comments')
    await page.getByLabel(holdLinks).uncheck()
    await save()
  }
})
