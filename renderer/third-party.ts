// The licences of the packages that Mooring contains. Filled by the build (build/third-party.ts); loaded only when it is asked
// for, as it is longer than many screens.
export const thirdPartyNotices: string = '';
