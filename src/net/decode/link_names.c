/* Names of link types that are not read, for messages. They are those that
 * tcpdump prints, by their numbers in capture files. */
#include "decode_internal.h"

const char *link_unread_name(unsigned link_type)
{
	static const char *const names[] = {
		[3] = "AX25", [102] = "SLIP_BSDOS", [103] = "PPP_BSDOS",
		[114] = "LTALK", [130] = "JUNIPER_MLPPP",
		[131] = "JUNIPER_MLFR", [132] = "JUNIPER_ES",
		[133] = "JUNIPER_GGSN", [134] = "JUNIPER_MFR",
		[135] = "JUNIPER_ATM2", [136] = "JUNIPER_SERVICES",
		[137] = "JUNIPER_ATM1", [139] = "MTP2_WITH_PHDR",
		[140] = "MTP2", [141] = "MTP3", [142] = "SCCP",
		[144] = "LINUX_IRDA", [164] = "JUNIPER_MONITOR",
		[165] = "BACNET_MS_TP", [168] = "JUNIPER_PPPOE_ATM",
		[169] = "GPRS_LLC", [170] = "GPF_T", [171] = "GPF_F",
		[174] = "JUNIPER_PIC_PEER", [175] = "ERF_ETH",
		[176] = "ERF_POS", [177] = "LINUX_LAPD", [182] = "MFR",
		[183] = "JUNIPER_VP", [184] = "A429", [185] = "A653_ICM",
		[186] = "USB_FREEBSD", [187] = "BLUETOOTH_HCI_H4",
		[188] = "IEEE802_16_MAC_CPS", [189] = "USB_LINUX",
		[190] = "CAN20B", [191] = "IEEE802_15_4_LINUX",
		[193] = "IEEE802_16_MAC_CPS_RADIO", [194] = "JUNIPER_ISM",
		[195] = "IEEE802_15_4", [196] = "SITA", [197] = "ERF",
		[198] = "RAIF1", [199] = "IPMB_KONTRON", [200] = "JUNIPER_ST",
		[201] = "BLUETOOTH_HCI_H4_WITH_PHDR", [202] = "AX25_KISS",
		[209] = "IPMB_LINUX", [215] = "IEEE802_15_4_NONASK_PHY",
		[216] = "LINUX_EVDEV", [220] = "USB_LINUX_MMAPPED",
		[221] = "DECT", [222] = "AOS", [223] = "WIHART", [224] = "FC_2",
		[225] = "FC_2_WITH_FRAME_DELIMS", [227] = "CAN_SOCKETCAN",
		[230] = "IEEE802_15_4_NOFCS", [231] = "DBUS",
		[232] = "JUNIPER_VS", [233] = "JUNIPER_SRX_E2E",
		[234] = "JUNIPER_FIBRECHANNEL", [235] = "DVB_CI",
		[236] = "MUX27010", [237] = "STANAG_5066_D_PDU",
		[238] = "JUNIPER_ATM_CEMIC", [243] = "MPEG_2_TS",
		[244] = "NG40", [245] = "NFC_LLCP", [246] = "PFSYNC",
		[247] = "INFINIBAND", [248] = "SCTP", [249] = "USBPCAP",
		[250] = "RTAC_SERIAL", [251] = "BLUETOOTH_LE_LL",
		[253] = "NETLINK", [254] = "BLUETOOTH_LINUX_MONITOR",
		[255] = "BLUETOOTH_BREDR_BB",
		[256] = "BLUETOOTH_LE_LL_WITH_PHDR", [257] = "PROFIBUS_DL",
		[260] = "IPMI_HPM_2", [261] = "ZWAVE_R1_R2", [262] = "ZWAVE_R3",
		[263] = "WATTSTOPPER_DLM", [264] = "ISO_14443", [265] = "RDS",
		[266] = "USB_DARWIN", [267] = "OPENFLOW", [268] = "SDLC",
		[269] = "TI_LLN_SNIFFER", [271] = "VSOCK", [272] = "NORDIC_BLE",
		[273] = "DOCSIS31_XRA31", [275] = "DISPLAYPORT_AUX",
		[278] = "OPENVIZSLA", [279] = "EBHSCR", [280] = "VPP_DISPATCH",
		[283] = "IEEE802_15_4_TAP", [286] = "ELEE",
		[287] = "Z_WAVE_SERIAL", [288] = "USB_2_0", [289] = "ATSC_ALP",
	};

	return link_type < sizeof names / sizeof *names ? names[link_type] :
							  NULL;
}
