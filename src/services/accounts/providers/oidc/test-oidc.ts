import { claimTexts } from '../../../../domain/accounts/claim-texts.ts'
import type { OidcProvider } from '../../../../domain/accounts/provider.ts'
import type { ProviderStep, ProviderTest } from '../../../../domain/accounts/provider-view.ts'
import { givenBy } from '../../../../domain/accounts/provider-mapping.ts'
import { isFilemgrError } from '../../../../domain/errors.ts'
import { CLOCK_TOLERANCE, type OpenId } from '../../../../platform/security/openid.ts'
import type { TestProvider } from '../providers.ts'
import { failOpenId, sourceOf } from './oidc-source.ts'

/** An address for the trial: nobody is sent there. */
const NOWHERE = 'https://filemgr.invalid/callback'

/** Tries each step that does not need a person: reaching the provider, our id and secret, the clocks, and what claims give. */
export function createTestOidc({ openId }: { readonly openId: OpenId }): TestProvider<OidcProvider> {
  return async (provider, { claims }) => {
    const steps: ProviderStep[] = []
    const attempt = async (step: ProviderStep['step'], work: () => Promise<Omit<ProviderStep, 'step' | 'passed'>>) => {
      try {
        const found = await work().catch((error: unknown) => failOpenId(provider, error))
        steps.push({ step, passed: true, ...found })
        return true
      } catch (error) {
        if (!isFilemgrError(error)) throw error
        const { reason } = error.details
        steps.push({ step, passed: false, text: error.message, ...(reason !== undefined && { reason }) })
        return false
      }
    }

    let ahead: number | undefined
    const begun = performance.now()
    const works =
      (await attempt('reach', async () => {
        const found = await openId.inspect(await sourceOf(provider))
        ahead = found.ahead
        const milliseconds = Math.round(performance.now() - begun)
        return { text: 'the provider and its keys were found', milliseconds }
      })) &&
      (await attempt('client', async () => {
        await openId.tryClient(await sourceOf(provider), NOWHERE)
        return { text: 'client id and secret were accepted' }
      }))
    if (ahead !== undefined) steps.push(clockStep(Math.abs(ahead)))
    const gives = claims === undefined ? undefined : givenFor(provider, claims, steps)
    return {
      works: works && steps.every(({ step, passed }) => passed || step === 'claims'),
      steps,
      ...(gives && { gives }),
    }
  }
}

function clockStep(apart: number): ProviderStep {
  const passed = apart <= CLOCK_TOLERANCE
  const text = `the clocks are ${apart} s apart`
  return { step: 'clock', passed, text, apart, ...(!passed && { reason: 'providerClock' }) }
}

function givenFor(
  { mapping, usernameClaim }: OidcProvider,
  claims: Readonly<Record<string, unknown>>,
  steps: ProviderStep[],
): NonNullable<ProviderTest['gives']> {
  const texts = claimTexts(claims)
  const needed = [...new Set([usernameClaim, ...mapping.map(({ claim }) => claim)])]
  const missing = needed.filter((name) => texts[name] === undefined)
  steps.push({
    step: 'claims',
    passed: missing.length === 0,
    text: missing.length === 0 ? 'all claims of the mapping are there' : `claims are missing: ${missing.join(', ')}`,
    ...(missing.length > 0 && { missing }),
  })
  const { administrator, groups, quota } = givenBy(mapping, texts)
  const [username] = texts[usernameClaim] ?? []
  return {
    ...(username !== undefined && { username }),
    ...(administrator !== undefined && { administrator }),
    groups: [...groups],
    ...(quota !== undefined && { quota }),
  }
}
