import type { IConfiguration, IForbiddenRuleType } from 'dependency-cruiser'

/** The layers of src/README.md as rules. tests/lint/layers.test.ts checks that a violation of each is reported. */

const layer = (name: string, from: string, allowed: string[]): IForbiddenRuleType => ({
  name,
  severity: 'error',
  from: { path: from },
  to: { path: '^(src|ui)/', pathNot: allowed },
})

/** Each package is imported in one place, so that replacing it changes only that place. */
const home = (packages: [string, ...string[]], allowed: string[]): IForbiddenRuleType => ({
  name: `home-of-${packages[0]}`,
  severity: 'error',
  from: { path: '^(src|ui)/', pathNot: allowed },
  to: { path: `(^|/)node_modules/(${packages.join('|')})/` },
})

const daemon = '^src/daemon(/|\\.ts$)'
const context = '^src/context(/|\\.ts$)'
const options = '^src/options(/|\\.ts$)'

const layers = [
  layer('domain-is-pure', '^src/domain/', ['^src/domain/']),
  layer('api-is-declarations', '^src/api/', ['^src/(domain|api)/']),
  layer('platform-is-generic', '^src/platform/', ['^src/(domain|platform)/']),
  layer('store-stands-alone', '^src/store/', ['^src/(domain|platform|store)/']),
  layer('storage-stands-alone', '^src/storage/', ['^src/(domain|platform|storage)/']),
  layer('services-see-seams', '^src/services/', [
    '^src/(domain|platform|services)/',
    '^src/store/(store|document)\\.ts$',
    '^src/storage/(storage|open-file)\\.ts$',
  ]),
  layer('operations-call-services', '^src/operations/', [
    '^src/(domain|api|platform|services|import|operations)/',
    context,
  ]),
  layer('http-calls-services', '^src/http/', [
    '^src/(domain|api|services|platform|operations|http)/',
    '^src/storage/(storage|open-file)\\.ts$',
    context,
  ]),
  layer('import-is-an-annex', '^src/import/', [
    '^src/(domain|platform|services|import)/',
    '^src/store/(store|document|location|open-stores)\\.ts$',
    '^src/store/disk/disk\\.ts$',
    '^src/storage/storage\\.ts$',
    context,
  ]),
  layer('upkeep-is-an-annex', '^src/upkeep/', [
    '^src/(domain|platform|store|services|upkeep)/',
    '^src/storage/(storage|reserved-names)\\.ts$',
    context,
  ]),
  layer('cli-calls-services', '^src/cli/', [
    '^src/(domain|api|platform|services|operations|import|upkeep|cli)/',
    // A backup is written as the account of the command.
    '^src/store/disk/save-backup\\.ts$',
    options,
    context,
    daemon,
  ]),
  layer('options-are-values', options, ['^src/(domain|platform)/', '^src/store/(store|document)\\.ts$', options]),
  layer('context-wires-below-the-faces', context, ['^src/(domain|platform|store|storage|services)/', options, context]),
  layer('daemon-sees-no-command', daemon, [
    '^src/(domain|api|platform|services|operations|http)/',
    options,
    context,
    daemon,
  ]),
  layer('ui-sees-contract-only', '^ui/', ['^ui/', '^src/(api|domain)/']),
  layer('screens-do-not-mix', '^ui/src/(public|admin|viewer|editor|shell|sign-in)/', [
    '^ui/src/$1/',
    '^ui/src/(files|common|kit|api|lib|i18n)/',
    '^src/(api|domain)/',
  ]),
  layer('files-serve-screens', '^ui/src/files/', ['^ui/src/(files|common|kit|api|lib|i18n)/', '^src/(api|domain)/']),
  layer('common-knows-no-screen', '^ui/src/common/', ['^ui/src/(common|kit|api|lib|i18n)/', '^src/(api|domain)/']),
  layer('api-of-the-page-draws-nothing', '^ui/src/api/', ['^ui/src/(api|lib|i18n|worker)/', '^src/(api|domain)/']),
  layer('kit-is-generic', '^ui/src/kit/', ['^ui/src/(kit|lib)/']),
  // Names and their encoding in addresses are defined once.
  layer('lib-is-pure', '^ui/src/lib/', ['^ui/src/lib/', '^src/domain/files/name-text\\.ts$']),
]

const homes = [
  home(['typebox'], ['^src/(domain|api|store|storage|platform|http|cli|options|context|daemon)(/|\\.ts$)', '^ui/']),
  home(['fastify', '@fastify/[^/]+'], ['^src/http/']),
  home(['tar'], ['^src/platform/archives/']),
  home(['@exodus/bytes'], ['^src/domain/text/text-codec\\.ts$']),
  home(['jschardet'], ['^src/platform/text/detect-encoding\\.ts$']),
  home(['yauzl'], ['^src/platform/archives/read/']),
  home(['@aws-sdk/[^/]+'], ['^src/storage/s3/(assembly|bucket|client|conditions|removal|signer|stored-object)\\.ts$']),
  home(['ldapts'], ['^src/platform/network/ldap/']),
  home(['lowdb'], ['^src/store/']),
  home(['pg'], ['^src/store/postgres/']),
  home(['sharp', 'utif2'], ['^src/platform/images/']),
  home(['argon2'], ['^src/platform/security/password-hasher\\.ts$']),
  home(['bcryptjs'], ['^src/platform/security/(password-hasher|bcrypt-worker)\\.ts$']),
  home(['@zxcvbn-ts/language-common'], ['^src/platform/security/common-passwords\\.ts$']),
  home(['otpauth'], ['^src/platform/security/totp\\.ts$']),
  home(['@simplewebauthn/server'], ['^src/platform/security/passkeys\\.ts$']),
  home(['@simplewebauthn/browser'], ['^ui/src/api/passkeys\\.ts$']),
  home(['jose'], ['^src/platform/security/(tokens|logout-token)\\.ts$']),
  home(['openid-client'], ['^src/platform/security/openid\\.ts$']),
  home(['re2js'], ['^src/platform/validation/pattern\\.ts$']),
  home(['unhomoglyph'], ['^src/platform/validation/look-alikes\\.ts$']),
  home(['pino', 'pino-pretty'], ['^src/platform/logging/logger\\.ts$']),
  home(['commander', '@clack/prompts', 'string-width', 'open', 'picocolors'], ['^src/cli/']),
  home(['uqr'], ['^src/cli/', '^ui/src/kit/']),
  home(['marked', 'dompurify'], ['^ui/src/lib/markdown/']),
  home(['@use-gesture/react', 'pdfjs-dist', 'docx-preview', '@e965/xlsx'], ['^ui/src/viewer/']),
  home(['exifr'], ['^ui/src/files/actions/prompts/details/photo-facts\\.ts$']),
  home(['papaparse'], ['^ui/src/viewer/', '^src/cli/commands/accounts/users-files\\.ts$']),
  home(['@napi-rs/xattr'], ['^src/storage/local/system/gated-calls\\.ts$']),
  home(['yaml'], ['^src/platform/validation/yaml\\.ts$']),
  home(['smol-toml'], [options]),
  home(['react', 'react-dom', 'radix-ui', 'sonner', '@tanstack/[^/]+', '@lingui/[^/]+'], ['^ui/']),
  home(['tus-js-client'], ['^ui/src/files/uploads/']),
  home(['ace-builds'], ['^ui/src/(editor/|lib/code-tokens\\.ts$)']),
  home(['idb-keyval'], ['^ui/src/(files/uploads/|editor/saving/drafts\\.ts$)']),
]

export default {
  forbidden: [
    {
      name: 'no-circular',
      comment: 'Type imports count: files that need each other belong together, or the type belongs elsewhere.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    { name: 'nothing-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'domain-no-io',
      severity: 'error',
      from: { path: '^src/(domain|api)/' },
      to: { dependencyTypes: ['core'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'serve-loads-the-daemon-lazily',
      comment: 'Other commands start in a tenth of a second because they never load the web server.',
      severity: 'error',
      from: { path: '^src/cli/' },
      to: { path: daemon, dependencyTypesNot: ['dynamic-import', 'type-only'] },
    },
    {
      name: 'ui-runs-in-browsers',
      severity: 'error',
      from: { path: '^ui/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'operations-are-given-the-context',
      comment: 'A command beside a daemon names operations without loading what performs them.',
      severity: 'error',
      from: { path: '^src/operations/' },
      to: { path: context, dependencyTypesNot: ['type-only'] },
    },
    ...layers,
    ...homes,
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'browser', 'node', 'default', 'types'],
    },
  },
} satisfies IConfiguration
