import type { Locator, Page } from 'playwright-core'

const confirmationOf = (page: Page): Locator => page.locator('[role="dialog"], [role="alertdialog"]')

/** Enters the current password in the confirmation and continues. */
export async function confirm(page: Page, password: string, button: string): Promise<void> {
  const prompt = confirmationOf(page)
  await prompt.getByLabel('Your current password').fill(password)
  await prompt.getByRole('button', { name: button, exact: true }).click()
}

/**
 * Waits until the confirmation is over. Behind it nothing has a role, so anything else that is awaited by its role seems to be
 * gone.
 */
export async function whenConfirmed(page: Page): Promise<void> {
  await confirmationOf(page).waitFor({ state: 'detached' })
}

/** Waits until the confirmed changes of a form are saved. */
export async function whenSaved(page: Page): Promise<void> {
  await whenConfirmed(page)
  await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
}
