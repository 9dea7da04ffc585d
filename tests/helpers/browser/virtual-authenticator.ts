import type { Page } from 'playwright-core'

/**
 * Gives the browser a device with a fingerprint reader, which the person touches at once.
 *
 * @returns changes whether the reader knows the finger
 */
export async function addAuthenticator(page: Page): Promise<(isKnown: boolean) => Promise<void>> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return async (isKnown) => {
    await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: isKnown })
  }
}
