import { defineUserInfoProvider } from "kinora/plugin";

/** Says of each account of the static realm who it is: everyone belongs to the group `staff`. */
export default defineUserInfoProvider({
  names: ["StaffInfo", "com.example.StaffInfo"],
  properties: {
    realNames: { type: "map", description: "Real names by user name" },
    group: { type: "string", default: "staff", description: "The group that everyone joins" },
  },
  create: ({ realNames, group }) => ({
    userInfo: ({ userName }, realm) => ({
      userName,
      realName: realNames.get(userName) ?? userName,
      groups: [group],
      metadata: { "login/realm": realm },
    }),
  }),
});
